// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

/**
 * A plan in its canonical form, as it is stored with each run and series of it.
 *
 * @param name of the plan
 * @param hash SHA-256 of the JSON, in lower-case hexadecimal
 * @param json the plan with every default filled in
 */
public record CanonicalPlan(String name, String hash, String json) {

    /** Returns the plan of this name whose canonical JSON this is. */
    public static CanonicalPlan of(String name, String json) {
        return new CanonicalPlan(name, Sha256.hex(json), json);
    }
}

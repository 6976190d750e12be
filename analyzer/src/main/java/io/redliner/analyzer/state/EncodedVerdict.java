// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import io.redliner.contract.v1.Verdict;

/**
 * One verdict that is to be published.
 *
 * @param verdict the same calls give byte-equal ones
 */
public record EncodedVerdict(Verdict verdict) {

    /** The record's key. */
    public String service() {
        return verdict.getService();
    }

    /** The record's value. */
    public byte[] value() {
        return verdict.toByteArray();
    }
}

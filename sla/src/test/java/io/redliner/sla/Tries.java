// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/** How often jqwik tries each property. */
final class Tries {

    /** In the default suite. */
    static final int DEFAULT = 100;

    /** In the full suite. */
    static final int FULL = 1_000;

    private Tries() {}
}

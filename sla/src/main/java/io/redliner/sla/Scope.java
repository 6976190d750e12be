// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/** The instances whose measurements a name refers to. */
public enum Scope {

    /** The instance under test: names without a prefix. */
    SUT(""),

    /** The service's other instances together. */
    PEERS("peers."),

    /** All instances together. */
    SERVICE("service."),

    /** The instance under test at its natural share, before the load was raised. */
    BASELINE("baseline.");

    private final String prefix;

    Scope(String prefix) {
        this.prefix = prefix;
    }

    String prefix() {
        return prefix;
    }
}

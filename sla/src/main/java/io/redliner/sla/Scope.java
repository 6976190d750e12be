// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/** Whose measurements a name means. */
public enum Scope {

    /** The instance under test: names without a prefix. */
    SUT(""),

    /** The service's other instances together. */
    PEERS("peers."),

    /** All instances together. */
    SERVICE("service."),

    /** The instance under test while it had its natural share. */
    BASELINE("baseline.");

    private final String prefix;

    Scope(String prefix) {
        this.prefix = prefix;
    }

    String prefix() {
        return prefix;
    }
}

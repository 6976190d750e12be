// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.security;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The permissions of a caller. Each role includes the ones before it. */
public enum Role {

    /** Reads. */
    VIEWER,
    /** Changes plans and runs of the services of its teams, and of services without an owner. */
    OPERATOR,
    /** Everything: tokens, ownership, the release of the kill switch, the audit log. */
    ADMIN;

    /** Returns true when this role may do everything that the other may. */
    public boolean includes(Role other) {
        return compareTo(other) >= 0;
    }

    /** Returns the name for users: {@code viewer}, {@code operator} or {@code admin}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the role that users write like this, if there is one. */
    public static Optional<Role> of(String word) {
        return Stream.of(values()).filter(role -> role.wireName().equals(word)).findFirst();
    }
}

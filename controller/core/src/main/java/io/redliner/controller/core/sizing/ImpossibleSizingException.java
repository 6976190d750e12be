// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sizing;

import java.io.Serial;

/** No fleet of any size satisfies the demand. */
public final class ImpossibleSizingException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final String field;

    ImpossibleSizingException(String field, String message) {
        super(message);
        this.field = field;
    }

    /** Returns the input at fault, as a path in the request. */
    public String field() {
        return field;
    }
}

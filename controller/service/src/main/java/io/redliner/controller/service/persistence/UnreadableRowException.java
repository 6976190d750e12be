// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

/** Thrown for a stored row that cannot be read; the message names it. */
public final class UnreadableRowException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final UnreadableRows.Kind kind;

    private final String name;

    UnreadableRowException(UnreadableRows.Kind kind, String name, Exception cause) {
        super(kind.wireName() + " " + name + " cannot be read: another version of RedLiner wrote it, or it is damaged",
                cause);
        this.kind = kind;
        this.name = name;
    }

    /** Identifies the row among those of its kind. */
    public String name() {
        return name;
    }

    /** Returns the kind of the row. */
    public UnreadableRows.Kind kind() {
        return kind;
    }
}

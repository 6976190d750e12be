// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

/** Text of one colour. */
record StyledText(String text, Tone tone) {

    /** The meaning of a text; the terminal chooses the colour for it. */
    enum Tone {
        /** Nothing in particular. */
        PLAIN,
        /** Beside the point, or too old to count. */
        DIM,
        /** To be seen first. */
        STRONG,
        /** Within its limits. */
        GOOD,
        /** Close to a limit. */
        WARNING,
        /** Beyond a limit, or lost. */
        BAD
    }

    static StyledText plain(String text) {
        return new StyledText(text, Tone.PLAIN);
    }

    static StyledText dim(String text) {
        return new StyledText(text, Tone.DIM);
    }
}

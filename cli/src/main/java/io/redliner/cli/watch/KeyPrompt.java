// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

/** Asks the user at the keyboard, if there is one. */
public interface KeyPrompt {

    /** No key was pressed. */
    int NONE = -1;

    /** A prompt without a keyboard. */
    KeyPrompt NOBODY = new KeyPrompt() {

        @Override
        public boolean canAsk() {
            return false;
        }

        @Override
        public void ask(String question) {}

        @Override
        public int key() {
            return NONE;
        }
    };

    /** Returns whether there is a terminal to ask on. */
    boolean canAsk();

    /** Shows a question, to be answered by a key. */
    void ask(String question);

    /** Returns the key that was pressed, or {@link #NONE}; does not wait. */
    int key();
}

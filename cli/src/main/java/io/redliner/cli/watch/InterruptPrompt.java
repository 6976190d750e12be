// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Asks at Ctrl-C, while a run is followed, whether to end the run or only this command. */
public final class InterruptPrompt {

    static final String QUESTION = "Ctrl-C: [a] abort the run, [d] detach and let it go on, any other key: keep watching";

    private final @Nullable KeyPrompt keyPrompt;

    private final AtomicInteger presses = new AtomicInteger();

    private boolean asking;

    private boolean aborting;

    /** Asks the user at the keyboard, if there is one. */
    public interface KeyPrompt {

        /** No key was pressed. */
        int NONE = -1;

        /** Returns whether there is a terminal to ask on. */
        boolean canAsk();

        /** Shows a question, to be answered by a key. */
        void ask(String question);

        /** Returns the key that was pressed, or {@link #NONE}; does not wait. */
        int key();
    }

    /** The user's choice. */
    enum Choice {
        /** Nothing is to be done. */
        NONE,
        /** The run is to end. */
        ABORT,
        /** The run goes on, this command does not. */
        DETACH
    }

    /** @param keyPrompt null without a keyboard */
    public InterruptPrompt(@Nullable KeyPrompt keyPrompt) {
        this.keyPrompt = keyPrompt;
    }

    /** Notes a Ctrl-C. Thread-safe. */
    public void pressed() {
        presses.incrementAndGet();
    }

    /** Returns whether a question waits for an answer. */
    boolean asking() {
        return asking;
    }

    /** Returns why the command detaches without a prompt. */
    String whyDetached() {
        return keyPrompt != null && keyPrompt.canAsk() ? "Detached." : "Detached, for there is no terminal to ask on.";
    }

    /**
     * Polls for the user's wish; to be called often. A second Ctrl-C detaches at once. A Ctrl-C after an abort detaches as well, so
     * the command does not wait for restored traffic.
     */
    Choice poll() {
        if (presses.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
            if (asking || aborting || keyPrompt == null || !keyPrompt.canAsk()) {
                return Choice.DETACH;
            }
            asking = true;
            keyPrompt.ask(QUESTION);
        }
        return asking && keyPrompt != null ? answer(keyPrompt.key()) : Choice.NONE;
    }

    private Choice answer(int key) {
        if (key == KeyPrompt.NONE) {
            return Choice.NONE;
        }
        asking = false;
        return switch (String.valueOf((char) key).toLowerCase(Locale.ROOT)) {
            case "a" -> {
                aborting = true;
                yield Choice.ABORT;
            }
            case "d" -> Choice.DETACH;
            default -> Choice.NONE;
        };
    }
}

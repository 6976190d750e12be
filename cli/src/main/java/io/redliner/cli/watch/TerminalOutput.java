// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A terminal on which a picture of the run is drawn in place, below the lines that stay. */
public final class TerminalOutput implements RunOutput {

    private final Tty tty;

    private final String hint;

    private String phase = "";

    /**
     * An output on a terminal.
     *
     * @param tty has to be able to draw
     * @param hint what Ctrl-C does; it stands below the picture
     */
    public TerminalOutput(Tty tty, String hint) {
        this.tty = tty;
        this.hint = hint;
    }

    @Override
    public void say(String line) {
        tty.say(line);
    }

    @Override
    public void happened(JsonNode decision, FollowedRun run, Instant now) {
        if (!run.phase().equals(phase)) {
            phase = run.phase();
            say(NumberFormatter.clock(run.elapsed(now)) + "  " + phase);
        }
    }

    @Override
    public void draw(FollowedRun run, Instant now, @Nullable String trouble, boolean asking) {
        StyledText below = asking
                ? new StyledText(InterruptPrompt.QUESTION, StyledText.Tone.STRONG)
                : StyledText.dim(hint);
        tty.draw(new TerminalFrame(tty.glyphs(), tty.width()).draw(run, now, trouble, List.of(below)));
    }

    @Override
    public void ended(JsonNode run) {
        tty.erase();
        RunSummary.of(run).forEach(this::say);
    }
}

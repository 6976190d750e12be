// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.watch;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A terminal on which a picture of the run is drawn in place, below the lines that stay. */
public final class LiveStage implements Stage {

    private final Tty tty;

    private String phase = "";

    /** @param tty has to be able to draw */
    public LiveStage(Tty tty) {
        this.tty = tty;
    }

    @Override
    public void say(String line) {
        tty.say(line);
    }

    @Override
    public void happened(JsonNode decision, LiveRun run, Instant now) {
        if (!run.phase().equals(phase)) {
            phase = run.phase();
            say(Figures.clock(run.elapsed(now)) + "  " + phase);
        }
    }

    @Override
    public void draw(LiveRun run, Instant now, @Nullable String trouble, boolean asking) {
        Piece below = asking
                ? new Piece(Interruption.QUESTION, Piece.Tone.STRONG)
                : Piece.dim("Ctrl-C: abort or detach");
        tty.draw(new Picture(tty.glyphs(), tty.width()).draw(run, now, trouble, List.of(below)));
    }

    @Override
    public void ended(JsonNode run) {
        tty.erase();
        Summary.of(run).forEach(this::say);
    }
}

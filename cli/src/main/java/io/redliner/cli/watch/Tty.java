// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.TerminalBuilder.SystemOutput;
import org.jline.terminal.impl.DumbTerminal;
import org.jline.terminal.spi.SystemStream;
import org.jline.terminal.spi.TerminalExt;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The user's terminal. It is opened at the first drawing or prompt, so that commands can run in the background. */
public final class Tty implements InterruptPrompt.KeyPrompt, AutoCloseable {

    private static final int MIN_WIDTH = 20;

    private final boolean colours;

    private final boolean keys;

    private @Nullable Terminal terminal;

    private @Nullable Attributes before;

    private @Nullable Display display;

    private List<AttributedString> drawn = List.of();

    private volatile boolean resized = true;

    private int width;

    private int height;

    private boolean released;

    /** A picture of the run, and lines above it for each phase. */
    private final class Picture implements RunOutput {

        private final String hint;

        private String phase = "";

        Picture(String hint) {
            this.hint = hint;
        }

        @Override
        public void print(String line) {
            layout().wrap(line).forEach(Tty.this::print);
        }

        @Override
        public void showDecision(JsonNode decision, FollowedRun run, Instant now) {
            if (!run.phase().equals(phase)) {
                phase = run.phase();
                print(NumberFormatter.clock(run.elapsed(now)) + "  " + phase);
            }
        }

        @Override
        public void draw(FollowedRun run, Instant now, @Nullable String problem, boolean asking) {
            AttributedString below = asking
                    ? new AttributedString(InterruptPrompt.QUESTION, TerminalFrame.STRONG)
                    : new AttributedString(hint, TerminalFrame.DIM);
            Tty.this.draw(new TerminalFrame(symbols(), width()).draw(run, now, problem, below));
        }

        @Override
        public void showEnd(JsonNode run) {
            erase();
            RunFormatter.summary(run).forEach(this::print);
        }
    }

    private Tty(boolean keys) {
        this.keys = keys;
        // See https://no-color.org
        this.colours = System.getenv().getOrDefault("NO_COLOR", "").isEmpty();
        Signals.register("WINCH", () -> resized = true);
    }

    /** Creates a terminal whose keys are read one by one, from the first picture or question on. */
    public static Tty withKeys() {
        return new Tty(true);
    }

    /** Creates a terminal whose keys are not read; its attributes stay as they are. */
    public static Tty withoutKeys() {
        return new Tty(false);
    }

    /** Calls back at each Ctrl-C from now on; it no longer ends the process. */
    public static void onInterrupt(Runnable pressed) {
        Signals.register("INT", pressed);
    }

    private Terminal terminal() {
        Terminal opened = terminal;
        if (opened == null) {
            try {
                // Signals are our own affair: without them, Ctrl-Z works as ever.
                opened = TerminalBuilder.builder().system(true).systemOutput(SystemOutput.SysOutOrSysErr)
                        .nativeSignals(false).dumb(true).build();
            } catch (IOException failure) {
                throw new IllegalStateException("Cannot use the terminal", failure);
            }
            terminal = opened;
        }
        return opened;
    }

    @Override
    public boolean canAsk() {
        return keys && !isDumb();
    }

    private boolean isDumb() {
        return terminal() instanceof DumbTerminal;
    }

    /**
     * Returns an output that draws a picture of the run in place, below the lines that stay. Where the standard output is no
     * terminal that can move its cursor, it prints lines.
     *
     * @param hint what Ctrl-C does; it stands below the picture
     * @param lines gets the lines where nothing can be drawn
     */
    public RunOutput output(String hint, PrintWriter lines) {
        return canDraw() ? new Picture(hint) : new LineOutput(lines);
    }

    private boolean canDraw() {
        return !isDumb() && !terminal().getType().startsWith(Terminal.TYPE_DUMB)
                && terminal() instanceof TerminalExt known && known.getSystemStream() == SystemStream.Output;
    }

    private TerminalFrame.Symbols symbols() {
        return StandardCharsets.UTF_8.equals(terminal().encoding())
                ? TerminalFrame.Symbols.UNICODE
                : TerminalFrame.Symbols.ASCII;
    }

    private int width() {
        return Math.max(MIN_WIDTH, width == 0 ? terminal().getWidth() : width) - 1;
    }

    private TextLayout layout() {
        return new TextLayout(Math.max(MIN_WIDTH, width()));
    }

    /** Switches to keys that come one by one and unseen. Ctrl-C stays a signal. */
    private void listen() {
        if (keys && before == null) {
            before = terminal().enterRawMode();
        }
    }

    @Override
    public void ask(String question) {
        listen();
        if (display == null) {
            layout().wrap(question).forEach(terminal().writer()::println);
            terminal().flush();
        }
    }

    @Override
    public int key() {
        try {
            int key = terminal().reader().read(1L);
            return key < 0 ? NONE : key;
        } catch (IOException gone) {
            return NONE;
        }
    }

    /** Prints a line that stays, above the drawn lines. */
    private synchronized void print(String line) {
        if (released) {
            System.out.println(line);
            return;
        }
        Display lines = display;
        if (lines != null) {
            lines.update(List.of(), 0);
        }
        terminal().writer().println(line);
        terminal().flush();
        if (lines != null) {
            lines.reset();
            lines.update(drawn, -1);
        }
    }

    private synchronized void draw(List<AttributedString> picture) {
        if (released) {
            return;
        }
        listen();
        Display lines = display == null ? new Display(terminal(), false) : display;
        display = lines;
        if (resized) {
            resized = false;
            Size size = terminal().getSize();
            width = size.getColumns();
            height = size.getRows();
            lines.resize(Math.max(2, height), Math.max(MIN_WIDTH, width));
        }
        List<AttributedString> fitting = new ArrayList<>();
        for (AttributedString line : picture.subList(0, Math.min(picture.size(), Math.max(1, height - 1)))) {
            AttributedString coloured = colours ? line : new AttributedString(line.toString());
            fitting.add(coloured.columnSubSequence(0, width()));
        }
        drawn = fitting;
        lines.update(drawn, -1);
        terminal().flush();
    }

    /** Erases the drawn lines. */
    private synchronized void erase() {
        if (display != null && !released) {
            display.update(List.of(), 0);
            terminal().flush();
            display = null;
            // The next one does not know how large the terminal is.
            resized = true;
        }
    }

    /** Releases the terminal as the process ends: later lines stand below the drawn ones. From any thread. */
    public synchronized void release() {
        if (display != null && !released) {
            System.out.println();
        }
        released = true;
    }

    @Override
    public synchronized void close() throws IOException {
        if (terminal == null) {
            return;
        }
        erase();
        if (before != null) {
            terminal.setAttributes(before);
        }
        terminal.close();
    }
}

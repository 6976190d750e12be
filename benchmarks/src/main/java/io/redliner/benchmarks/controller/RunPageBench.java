// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import io.redliner.benchmarks.figures.Delays;
import io.redliner.benchmarks.scale.Broker;
import io.redliner.benchmarks.scale.JavaProcess;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How smoothly the page of a live run with an hour of windows of a second scrolls and zooms in a real Chromium, compared
 * with the same page in the same run before it has that hour. A stutter is two frames more than 100 ms apart, the longest
 * that people take for at once (Nielsen, Usability Engineering, 1993, chapter 5).
 */
@CommandLine.Command(name = "run-page", mixinStandardHelpOptions = true)
public final class RunPageBench implements Callable<Integer> {

    private static final double STUTTER_MILLIS = 100;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final double PATIENCE_MILLIS = 60_000;

    /** Windows that the short run has when it is looked at. */
    private static final int FEW = 20;

    private static final int NOTCHES = 24;

    private static final double NOTCH_PIXELS = 120;

    /** About a second: the page asks for more points a quarter of one after the last motion. */
    private static final int FRAMES_OF_A_PAUSE = 60;

    private static final String DRAWN = """
            () => {
              const chart = document.getElementById('time-chart');
              return !chart.hidden && chart.querySelector('canvas, svg') !== null;
            }""";

    private static final String NEXT_FRAME = "() => new Promise(done => requestAnimationFrame(done))";

    /** From now on the milliseconds between frames are noted. */
    private static final String BEGIN = """
            () => {
              const noted = window.frames = {gaps: [], on: true};
              let last = null;
              const note = at => {
                if (last !== null) noted.gaps.push(at - last);
                last = at;
                if (noted.on) requestAnimationFrame(note);
              };
              requestAnimationFrame(note);
            }""";

    private static final String END = "() => { window.frames.on = false; return window.frames.gaps; }";

    @Option(names = "--windows", description = "of a second that the long run has; default: ${DEFAULT-VALUE}")
    private int windows = 3_600;

    @Option(names = "--rounds", description = "of scrolling and zooming; default: ${DEFAULT-VALUE}")
    private int rounds = 5;

    @Mixin
    private final ViewerOptions options = new ViewerOptions();

    private final InstantSource clock = Clock.systemUTC();

    /** Measures, prints a table, and fails when the page of the long run stutters. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new RunPageBench()).execute(arguments));
    }

    /** Times between frames while the page is scrolled, and while its charts are zoomed and moved. */
    private record Motions(Delays drawn, Delays scrolling, Delays zooming) {

        private Motions() {
            this(new Delays(), new Delays(), new Delays());
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException, SQLException {
        try (var broker = JavaProcess.start(Broker.class, List.of("-Xmx512m"));
                var database = new Database();
                var viewers = options.browser()) {
            String bootstrapServers = broker.ready();
            try (var controller = ControllerPart.start(options.jvm(), 0, bootstrapServers, database.jdbcUrl(),
                    List.of())) {
                String port = controller.ready();
                try (var rest = new Rest(port);
                        var world = new PlayedWorld(bootstrapServers, 1, 10, 0, windows, clock)) {
                    String run = begun(rest, world, database);
                    String address = "http://127.0.0.1:" + port + "/runs/" + run;
                    look(viewers.browser(), address, 1);
                    var few = look(viewers.browser(), address, rounds);
                    addHistory(database, run);
                    var many = look(viewers.browser(), address, rounds);
                    if (world.live() != 1) {
                        throw new IOException("The run ended: " + rest.get("/api/v1/runs/" + run).body());
                    }
                    controller.handle().destroyForcibly();
                    return tell(few, many);
                }
            }
        }
    }

    /** The id of a live run with some windows. */
    private String begun(Rest rest, PlayedWorld world, Database database)
            throws IOException, InterruptedException, SQLException {
        if (world.start(rest, PATIENCE) != 1) {
            throw new IOException("No run could be started: " + rest.get("/api/v1/services").body());
        }
        String run = rest.newestRun();
        database.await("SELECT count(*) FROM judged_window", windows -> windows >= FEW, PATIENCE, clock);
        return run;
    }

    /** Gives the run the windows before its first: copies of those that it has, each with a latency of its own. */
    private void addHistory(Database database, String run) throws SQLException {
        database.execute("""
                INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                SELECT run_id, n, begin, phase, judgement, asked_ppm, jsonb_set(jsonb_set(content,
                        '{windowStart}', to_jsonb(to_char(begin AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))),
                        '{sequence}', to_jsonb(n))
                FROM generate_series(1, %1$d) n,
                    LATERAL (SELECT min(started_at) - (1 + %1$d - n) * interval '1 second' AS begin FROM judged_window
                        WHERE run_id = '%2$s' AND sequence > %1$d) earlier,
                    judged_window
                WHERE run_id = '%2$s' AND sequence = %1$d + 1 + n %% %3$d""".formatted(windows, run, FEW));
    }

    private Motions look(Browser browser, String address, int times) {
        var motions = new Motions();
        for (int round = 0; round < times; round++) {
            try (var context = browser.newContext(new Browser.NewContextOptions().setViewportSize(1280, 800));
                    Page page = context.newPage()) {
                Instant begin = clock.instant();
                page.navigate(address, new Page.NavigateOptions().setTimeout(PATIENCE_MILLIS));
                page.waitForFunction(DRAWN);
                page.evaluate(NEXT_FRAME);
                motions.drawn.add(begin, clock.instant());
                frames(page, motions.scrolling, () -> scroll(page));
                frames(page, motions.zooming, () -> zoom(page));
            }
        }
        return motions;
    }

    private static void frames(Page page, Delays delays, Runnable motion) {
        page.evaluate(BEGIN);
        motion.run();
        if (page.evaluate(END) instanceof List<?> gaps) {
            gaps.forEach(gap -> delays.add(Instant.EPOCH,
                    Instant.EPOCH.plusNanos(Math.round(((Number) gap).doubleValue() * 1e6))));
        }
    }

    private static void scroll(Page page) {
        page.mouse().move(640, 400);
        for (int notch = 0; notch < NOTCHES; notch++) {
            wheel(page, NOTCH_PIXELS);
        }
        for (int notch = 0; notch < NOTCHES; notch++) {
            wheel(page, -NOTCH_PIXELS);
        }
    }

    /** To a small part of the run, along it, and back to all of it; each pause lets the page ask for more points. */
    private static void zoom(Page page) {
        Locator chart = page.locator("#time-chart");
        chart.scrollIntoViewIfNeeded();
        BoundingBox box = Objects.requireNonNull(chart.boundingBox(), "the chart is not there");
        double middle = box.x + box.width / 2;
        double height = Math.max(box.y, 0) + 150;
        page.mouse().move(middle, height);
        page.keyboard().down("Control");
        for (int notch = 0; notch < NOTCHES; notch++) {
            wheel(page, -NOTCH_PIXELS);
        }
        page.keyboard().up("Control");
        pause(page);
        page.mouse().down();
        for (int step = 1; step <= NOTCHES; step++) {
            page.mouse().move(middle + 12 * step, height);
            page.evaluate(NEXT_FRAME);
        }
        page.mouse().up();
        pause(page);
        page.keyboard().down("Control");
        for (int notch = 0; notch < NOTCHES; notch++) {
            wheel(page, NOTCH_PIXELS);
        }
        page.keyboard().up("Control");
    }

    private static void pause(Page page) {
        for (int frame = 0; frame < FRAMES_OF_A_PAUSE; frame++) {
            page.evaluate(NEXT_FRAME);
        }
    }

    private static void wheel(Page page, double pixels) {
        page.mouse().wheel(0, pixels);
        page.evaluate(NEXT_FRAME);
    }

    private int tell(Motions few, Motions many) {
        System.out.println(
                rounds + " rounds each, 1280x800; long: " + windows + " windows of a second");
        System.out.println(Delays.head("what"));
        rows("page drawn", few.drawn, many.drawn);
        rows("between frames, scrolling", few.scrolling, many.scrolling);
        rows("between frames, zooming", few.zooming, many.zooming);
        boolean smooth = many.scrolling.max() <= STUTTER_MILLIS && many.zooming.max() <= STUTTER_MILLIS;
        System.out.println("target: no two frames more than 100 ms apart: " + (smooth ? "reached" : "missed"));
        return smooth ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static void rows(String what, Delays few, Delays many) {
        System.out.println(few.row(what + ", short"));
        System.out.println(many.row(what + ", long"));
        System.out.println(many.ratio(few));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import io.redliner.benchmarks.scale.Broker;
import io.redliner.benchmarks.scale.JavaProcess;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How long the dashboard's overview takes in a real Chromium until its first paint, and until all live runs are there,
 * compared with the same page in the same run while nothing is live.
 */
@CommandLine.Command(name = "overview", mixinStandardHelpOptions = true)
public final class OverviewBench implements Callable<Integer> {

    private static final double MOST_FIRST_PAINT_MILLIS = 1_000;

    private static final Duration PATIENCE_AT_START = Duration.ofMinutes(3);

    /** Milliseconds from the navigation on: the first paint of content, and the frame with the last of the live runs. */
    private static final String WHEN = """
            wanted => new Promise(done => {
              const look = () => {
                const list = document.getElementById('live');
                if (list && list.dataset.state === 'ready' && list.children.length >= wanted) {
                  requestAnimationFrame(() => requestAnimationFrame(() => done([
                    performance.getEntriesByName('first-contentful-paint')[0].startTime, performance.now()])));
                } else {
                  requestAnimationFrame(look);
                }
              };
              look();
            })""";

    @Option(names = "--runs", description = "that are live; default: ${DEFAULT-VALUE}")
    private int runs = 200;

    @Option(names = "--visits", description = "of each kind, each with an empty cache; default: ${DEFAULT-VALUE}")
    private int visits = 15;

    @Mixin
    private final ViewerOptions options = new ViewerOptions();

    private final InstantSource clock = Clock.systemUTC();

    /** Prints a table, and fails when the first paint with live runs takes more than a second in the worst visit. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new OverviewBench()).execute(arguments));
    }

    /** Of several visits, in milliseconds. */
    private record Visits(List<Double> painted, List<Double> whole) {}

    @Override
    public Integer call() throws IOException, InterruptedException, SQLException {
        try (var broker = JavaProcess.start(Broker.class, List.of("-Xmx512m"));
                var database = new Database();
                var viewers = options.browser()) {
            Browser browser = viewers.browser();
            String bootstrapServers = broker.ready();
            try (var controller = ControllerPart.start(options.jvm(), 0, bootstrapServers, database.jdbcUrl(),
                    List.of())) {
                String port = controller.ready();
                String address = "http://127.0.0.1:" + port + "/";
                visit(browser, address, 0, visits);
                var empty = visit(browser, address, 0, visits);
                try (var rest = new Rest(port);
                        var world = new PlayedWorld(bootstrapServers, runs, 20, 1_000, clock)) {
                    int started = world.start(rest, PATIENCE_AT_START);
                    var full = visit(browser, address, started, visits);
                    long live = world.live();
                    controller.handle().destroyForcibly();
                    return tell(empty, full, started, live);
                }
            }
        }
    }

    private static Visits visit(Browser browser, String address, int wanted, int times) {
        var painted = new ArrayList<Double>();
        var whole = new ArrayList<Double>();
        for (int visit = 0; visit < times; visit++) {
            try (var context = browser.newContext(); Page page = context.newPage()) {
                page.navigate(address, new Page.NavigateOptions().setTimeout(60_000));
                if (page.evaluate(WHEN, wanted) instanceof List<?> answer) {
                    painted.add(((Number) answer.get(0)).doubleValue());
                    whole.add(((Number) answer.get(1)).doubleValue());
                }
            }
        }
        painted.sort(Double::compare);
        whole.sort(Double::compare);
        return new Visits(painted, whole);
    }

    private int tell(Visits empty, Visits full, int started, long live) {
        System.out.printf(Locale.ROOT, "%d runs started, %d live at the end; %d visits each, milliseconds%n", started,
                live, visits);
        row("first paint, nothing live", empty.painted);
        row("first paint, " + started + " live", full.painted);
        row("whole page, nothing live", empty.whole);
        row("all of " + started + " live runs shown", full.whole);
        System.out.printf(Locale.ROOT, "  first paint with live runs: %.2f of that without%n",
                middle(full.painted) / middle(empty.painted));
        boolean soon = live == runs && full.painted.getLast() <= MOST_FIRST_PAINT_MILLIS;
        System.out.println("  target: first paint with " + runs + " live runs within 1 s in each visit: "
                + (soon ? "reached" : "missed"));
        return soon ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static void row(String name, List<Double> sorted) {
        System.out.printf(Locale.ROOT, "  %-32s least %5.0f  median %5.0f  most %5.0f%n", name, sorted.getFirst(),
                middle(sorted), sorted.getLast());
    }

    private static double middle(List<Double> sorted) {
        return sorted.get(sorted.size() / 2);
    }
}

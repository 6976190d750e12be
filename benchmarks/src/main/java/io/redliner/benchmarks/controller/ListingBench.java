// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import io.redliner.benchmarks.figures.Delays;
import io.redliner.benchmarks.scale.Broker;
import io.redliner.benchmarks.scale.JavaProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How soon a page of a list is there over HTTP, one after the other, with many finished runs. The runs are copies of one that
 * was really run; one of them is long.
 */
@Command(name = "listing", mixinStandardHelpOptions = true, description = "Pages of lists over HTTP.")
public final class ListingBench implements Callable<Integer> {

    private static final double MOST_P99_MILLIS = 50;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Option(names = "--runs", description = "default: ${DEFAULT-VALUE}")
    private int runs = 10_000;

    @Option(names = "--journal", description = "rows of each run; default: ${DEFAULT-VALUE}")
    private int journal = 100;

    @Option(names = "--pages", description = "of each list; default: ${DEFAULT-VALUE}")
    private int pages = 200;

    @Option(names = "--warm-up", description = "pages of each list before; default: ${DEFAULT-VALUE}")
    private int warmUp = 50;

    @Option(names = "--jvm", description = "options of the controller's JVM; default: ${DEFAULT-VALUE}")
    private List<String> options = ControllerPart.SMALL_JVM;

    private final InstantSource clock = Clock.systemUTC();

    private final SplittableRandom random = new SplittableRandom(1);

    /** Measures, prints a table, and fails when the p99 of a list is above 50 ms. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ListingBench()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException, SQLException {
        try (var broker = JavaProcess.start(Broker.class, List.of("-Xmx512m")); var database = new Database()) {
            String bootstrapServers = broker.ready();
            try (var controller = ControllerPart.start(options, 0, bootstrapServers, database.jdbcUrl(), List.of());
                    var rest = new Rest(controller.ready())) {
                try (var world = new PlayedWorld(bootstrapServers, 1, 5, 0, clock)) {
                    new FilledDatabase(database, world.finished(rest, PATIENCE)).fill(runs, journal);
                }
                System.out.printf("%d runs, %d journal rows, %d windows, %d MiB%n",
                        database.number("SELECT count(*) FROM run"), database.number("SELECT count(*) FROM journal"),
                        database.number("SELECT count(*) FROM judged_window"),
                        database.number("SELECT pg_database_size(current_database()) >> 20"));
                return measured(rest, database);
            }
        }
    }

    private int measured(Rest rest, Database database) throws IOException, InterruptedException, SQLException {
        String wholeScans = """
                SELECT relname, seq_scan FROM pg_stat_user_tables
                WHERE relname IN ('run', 'journal', 'judged_window', 'step')""";
        var before = database.numbers(wholeScans);
        System.out.println(Delays.head("page"));
        boolean reached = true;
        var lists = lists(database);
        for (var list : lists.entrySet()) {
            Delays delays = Rest.delays(() -> {
                String path = list.getValue().apply(random.nextInt(1, runs / 10) * 10);
                return path.endsWith("/events") ? rest.get(path, "Last-Event-ID", "50") : rest.get(path);
            }, warmUp, pages, clock);
            System.out.println(delays.row(list.getKey()));
            reached &= delays.p99() <= MOST_P99_MILLIS;
        }
        var after = database.numbers(wholeScans);
        System.out.println(
                "whole tables read meanwhile, of " + lists.size() * (pages + warmUp) + " pages: before " + before
                        + ", after " + after);
        System.out.println("target: p99 <= 50 ms of each: " + (reached ? "reached" : "missed"));
        return reached ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /** By name, the path of a page; runs are given by number, and have their journal. */
    private Map<String, IntFunction<String>> lists(Database database) throws SQLException {
        var newest = Instant.ofEpochMilli(database.number(
                "SELECT (extract(epoch FROM max(submitted_at)) * 1000)::bigint FROM run WHERE id LIKE 'copy-%'"));
        var lists = new LinkedHashMap<String, IntFunction<String>>();
        lists.put("runs, newest 50", run -> "/api/v1/runs");
        lists.put("runs, 200", run -> "/api/v1/runs?limit=200");
        lists.put("runs, deep", run -> "/api/v1/runs?pageToken=" + token(newest, run));
        lists.put("runs of a service, deep", run -> "/api/v1/runs?service=service-" + run % FilledDatabase.SERVICES
                + "&pageToken=" + token(newest, run));
        lists.put("runs in a phase, deep", run -> "/api/v1/runs?phase=Finished&pageToken=" + token(newest, run));
        lists.put("runs in a phase that none is in", run -> "/api/v1/runs?phase=Ramping");
        lists.put("runs since, of a service", run -> "/api/v1/runs?since=" + newest.minus(Duration.ofMinutes(run))
                + "&service=service-" + run % FilledDatabase.SERVICES);
        lists.put("one run", run -> "/api/v1/runs/" + FilledDatabase.id(run));
        lists.put("steps", run -> "/api/v1/runs/" + FilledDatabase.id(run) + "/steps");
        lists.put("windows", run -> "/api/v1/runs/" + FilledDatabase.id(run) + "/windows");
        lists.put("windows, 100 of 20 000, deep", run -> longRun("/windows?limit=100&after=", run));
        lists.put("windows, 1 000 of 20 000, deep", run -> longRun("/windows?limit=1000&after=", run));
        lists.put("events, after the 50th", run -> "/api/v1/runs/" + FilledDatabase.id(run) + "/events");
        lists.put("journal, whole", run -> "/api/v1/runs/" + FilledDatabase.id(run) + "/journal");
        return lists;
    }

    private static String longRun(String list, int run) {
        return "/api/v1/runs/" + FilledDatabase.id(0) + list + run % (FilledDatabase.LONG_WINDOWS - 1_000);
    }

    /** As the API gives them out. */
    private static String token(Instant newest, int run) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString((newest.minus(Duration.ofMinutes(run)) + " "
                + FilledDatabase.id(run)).getBytes(StandardCharsets.UTF_8));
    }
}

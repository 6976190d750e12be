// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.watch.LineOutput;
import io.redliner.embedded.EnvoyBinary;
import io.redliner.embedded.FreePort;
import io.redliner.standalone.demo.DemoResult;
import io.redliner.standalone.demo.DemoRun;
import io.redliner.standalone.demo.DemoService;
import io.redliner.standalone.demo.DemoTraffic;
import io.redliner.standalone.stack.DataFolder;
import io.redliner.standalone.stack.StackSettings;
import io.redliner.standalone.stack.StandaloneStack;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How near the demo comes to the constructed capacity on real parts: the demo's test on a fresh RedLiner each time, as a
 * table. Arguments: the number of runs, and how many busy loops at the lowest priority run beside; then a run may end without a
 * number, or with a warning, but not with a wrong number alone.
 */
public final class DemoAccuracyBench {

    private static final double NEAR = 0.04;

    /** Beside busy loops, and without a warning. */
    private static final double WRONG = 0.06;

    private static final double ANSWERED = 0.6;

    /** A loop ends by itself, should nobody end it. */
    private static final String LOOP = "timeout 600 nice -n 19 sh -c 'while :; do :; done'";

    private DemoAccuracyBench() {}

    /** Runs the demo as often as the first argument says, and prints a row for each. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int runs = Integer.parseInt(arguments[0]);
        int loops = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 0;
        System.out.println(
                "run  constructed  found  low..high  error %  harm/allowed  restore s  run s  outcome  doubtful");
        List<DemoResult> results = new ArrayList<>();
        for (int run = 1; run <= runs; run++) {
            DemoResult result = beside(loops);
            results.add(result);
            System.out.println(run + "  " + row(result));
        }
        System.exit(loops == 0 ? quiet(results) : disturbed(results));
    }

    private static int quiet(List<DemoResult> results) {
        long near = results.stream().filter(result -> Math.abs(result.error()) <= NEAR).count();
        System.out.println("within " + Math.round(100 * NEAR) + " %: " + near + " of " + results.size());
        return near == results.size() ? 0 : 1;
    }

    private static int disturbed(List<DemoResult> results) {
        List<DemoResult> answered = results.stream().filter(result -> result.found() != null).toList();
        long wrong = answered.stream().filter(result -> Math.abs(result.error()) > WRONG)
                .filter(result -> result.found() != null && result.found().doubts().isEmpty()).count();
        System.out.println("answered: " + answered.size() + " of " + results.size() + "; off by more than "
                + Math.round(100 * WRONG) + " % without a warning: " + wrong);
        return wrong == 0 && answered.size() >= ANSWERED * results.size() ? 0 : 1;
    }

    private static DemoResult beside(int loops) throws IOException, InterruptedException {
        List<Process> busy = new ArrayList<>();
        try {
            for (int i = 0; i < loops; i++) {
                busy.add(new ProcessBuilder("sh", "-c", "exec " + LOOP).start());
            }
            return once();
        } finally {
            busy.forEach(process -> process.destroy());
        }
    }

    private static DemoResult once() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("redliner-accuracy");
        DemoService service = DemoService.start(FreePort.next());
        try (PrintWriter silent = new PrintWriter(Writer.nullWriter());
                DataFolder data = DataFolder.lock(folder);
                DemoTraffic traffic = service.traffic();
                StandaloneStack stack = new StandaloneStack(
                        new StackSettings(data, service.writeServicesFile(folder), 0, EnvoyBinary.locate()))) {
            stack.start();
            try (ControllerClient controller = new ControllerClient(stack.dashboard(), null)) {
                traffic.start();
                return new DemoRun(service, traffic, controller, new LineOutput(silent)).run();
            }
        } finally {
            service.fleet().close();
        }
    }

    private static String row(DemoResult result) {
        DemoResult.Found found = result.found();
        return String.format(Locale.ROOT, "%.1f  %s  %+.1f  %.0f/%.0f  %.2f  %.0f  %s  %s", result.constructed(),
                found == null
                        ? "-  -"
                        : String.format(Locale.ROOT, "%.1f  %.1f..%.1f", found.capacity(), found.low(), found.high()),
                result.error() * 100, result.harm().requests(), result.harm().allowed(), result.restoreSeconds(),
                result.durationSeconds(), result.ending().outcome(), found == null ? "-" : found.doubts());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks;

import io.redliner.embedded.EnvoyBinary;
import io.redliner.embedded.FreePort;
import io.redliner.standalone.demo.ControllerClient;
import io.redliner.standalone.demo.Demo;
import io.redliner.standalone.demo.DemoResult;
import io.redliner.standalone.demo.DemoService;
import io.redliner.standalone.demo.DemoTraffic;
import io.redliner.standalone.demo.Screen;
import io.redliner.standalone.stack.DataFolder;
import io.redliner.standalone.stack.Stack;
import io.redliner.standalone.stack.StackSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How near the demo comes to the constructed capacity on real parts: the demo's test on a fresh RedLiner each time, as a
 * table. The argument is the number of runs.
 */
public final class DemoAccuracy {

    private static final double NEAR = 0.04;

    private DemoAccuracy() {}

    /** Runs the demo as often as the first argument says, and prints a row for each. */
    public static void main(String[] arguments) throws IOException {
        int runs = Integer.parseInt(arguments[0]);
        System.out.println("run  constructed  found  low..high  error %  harm/allowed  restore s  run s  outcome");
        List<DemoResult> results = new ArrayList<>();
        for (int run = 1; run <= runs; run++) {
            DemoResult result = once();
            results.add(result);
            System.out.println(run + "  " + row(result));
        }
        long near = results.stream().filter(result -> Math.abs(result.error()) <= NEAR).count();
        System.out.println("within " + Math.round(100 * NEAR) + " %: " + near + " of " + runs);
        System.exit(near == runs ? 0 : 1);
    }

    private static DemoResult once() throws IOException {
        Path folder = Files.createTempDirectory("redliner-accuracy");
        DemoService service = DemoService.start(FreePort.next());
        try (PrintStream silent = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
                DataFolder data = DataFolder.hold(folder);
                DemoTraffic traffic = service.traffic();
                Stack stack = new Stack(
                        new StackSettings(data, service.writeServicesFile(folder), 0, EnvoyBinary.locate()))) {
            stack.start();
            try (ControllerClient controller = new ControllerClient(stack.dashboard())) {
                traffic.start();
                return new Demo(service, traffic, controller, new Screen(silent, false)).run();
            }
        } finally {
            service.fleet().close();
        }
    }

    private static String row(DemoResult result) {
        DemoResult.Found found = result.found();
        return String.format(Locale.ROOT, "%.1f  %s  %+.1f  %.0f/%.0f  %.2f  %.0f  %s", result.constructed(),
                found == null
                        ? "-  -"
                        : String.format(Locale.ROOT, "%.1f  %.1f..%.1f", found.capacity(), found.low(), found.high()),
                result.error() * 100, result.harmedRequests(), result.harmAllowed(), result.restoreSeconds(),
                result.durationSeconds(), result.outcome());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.watch.FollowedRun;
import io.redliner.cli.watch.RunOutput;
import io.redliner.cli.watch.Tty;
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
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code redliner demo}: a fleet whose capacity is known, and a capacity test of its odd instance. */
@Command(name = "demo", mixinStandardHelpOptions = true, description = {
    "Starts everything and a small fleet with live traffic, and tests the capacity of its odd instance.",
    "Exit status: 0 capacity found, 98 inconclusive or FAILED, 99 a guard was broken, 105 aborted, 106 unsafe, 1 it could not be started."})
final class DemoCommand implements Callable<Integer> {

    @Mixin
    private final StandaloneOptions options = new StandaloneOptions();

    @Option(names = "--keep", description = "Leave everything running after the test, until Ctrl-C.")
    private boolean keep;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /**
     * The output until the user ends everything. After that only the run's end is written: that the parts stop is expected
     * then.
     */
    private record UntilInterrupted(RunOutput output, ShutdownSequence shutdown) implements RunOutput {

        @Override
        public void print(String line) {
            if (!shutdown.interrupted()) {
                output.print(line);
            }
        }

        @Override
        public void showDecision(JsonNode decision, FollowedRun run, Instant now) {
            if (!shutdown.interrupted()) {
                output.showDecision(decision, run, now);
            }
        }

        @Override
        public void draw(FollowedRun run, Instant now, @Nullable String problem, boolean asking) {
            if (!shutdown.interrupted()) {
                output.draw(run, now, problem, asking);
            }
        }

        @Override
        public void showEnd(JsonNode run) {
            output.showEnd(run);
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        DataFolder data = options.lockDataFolder("demo", true);
        Path envoy = EnvoyBinary.locate();
        try (Tty tty = Tty.withoutKeys()) {
            RunOutput output = tty.output("Ctrl-C: restore the traffic and stop everything",
                    spec.commandLine().getOut());
            ShutdownSequence shutdown = new ShutdownSequence(line -> {
                tty.release();
                output.print(line);
            }, "Stopping, the traffic first ...");
            return run(data, envoy, new UntilInterrupted(output, shutdown), shutdown);
        }
    }

    private int run(DataFolder data, Path envoy, RunOutput output, ShutdownSequence shutdown)
            throws IOException, InterruptedException {
        shutdown.register(data);
        try {
            output.print("Starting Kafka, PostgreSQL, Envoy, the four services and the demo fleet (log: " + data.log()
                    + ")");
            DemoService service = DemoService.start(FreePort.next());
            shutdown.register(service.fleet());
            // Older than the stack: the users are there until the stack has restored their traffic.
            DemoTraffic traffic = shutdown.register(service.traffic());
            Path services = service.writeServicesFile(data.path());
            ProcessReport report = new ProcessReport(output::print, shutdown);
            StandaloneStack stack = new StandaloneStack(new StackSettings(data, services, options.port(), envoy,
                    service.collectorSettings()), report);
            shutdown.register(stack);
            // The users warm the proxy and the collector up while the analyzer and the controller start.
            stack.start(traffic::start);
            output.print("Dashboard: " + stack.dashboard() + "/");
            DemoResult result;
            try (ControllerClient controller = new ControllerClient(stack.dashboard(), null)) {
                result = new DemoRun(service, traffic, controller, output).run();
            }
            if (keep) {
                output.print("Everything keeps running, Ctrl-C ends it. Dashboard: " + stack.dashboard() + "/");
                throw report.awaitFailure();
            }
            return result.ending().exitCode();
        } catch (IOException | RuntimeException e) {
            shutdown.awaitEndIfInterrupted();
            throw e;
        } finally {
            shutdown.close();
        }
    }
}

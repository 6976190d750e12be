// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.RequestRejectedException;
import io.redliner.cli.commands.ClientOptions;
import io.redliner.cli.watch.LineOutput;
import io.redliner.cli.watch.RunOutput;
import io.redliner.standalone.demo.DemoService;
import io.redliner.standalone.demo.DemoTraffic;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** {@code redliner fleet}: the demo's fleet and users alone, for a RedLiner that runs elsewhere. */
@Command(name = "fleet", mixinStandardHelpOptions = true, description = {
    "Runs the demo's four instances and their users, and gives a controller elsewhere a plan for them that starts now and"
            + " every half hour. The redirector's services file has to name the instances. Ends with Ctrl-C."})
final class FleetCommand implements Callable<Integer> {

    private static final Duration READY_TIMEOUT = Duration.ofMinutes(5);

    private static final Duration POLL = Duration.ofSeconds(1);

    /** After so many requests the fleet is warm: code is compiled and connection pools are filled. */
    private static final long WARM_UP_REQUESTS = 5_000;

    /** The largest rate, requests/s; the fleet could not answer more. */
    private static final double MAX_RATE = 10_000;

    private static final String PLAN = "demo";

    private static final String SCHEDULE = "  schedule: {interval: 30m, on: [deployment]}\n";

    @Option(names = "--listen", paramLabel = "ADDRESS", defaultValue = "127.0.0.1", description = "An address of this machine at which proxies reach the instances (default: ${DEFAULT-VALUE}).")
    private InetAddress address = InetAddress.getLoopbackAddress();

    @Option(names = "--first-port", paramLabel = "PORT", defaultValue = "9001", description = "TCP port of the first instance; the others have the next three (default: ${DEFAULT-VALUE}).")
    private int firstPort;

    @Option(names = "--proxy", paramLabel = "URL", required = true, description = "Where users send their requests.")
    private URI proxy = URI.create("http://127.0.0.1:10000/");

    @Option(names = "--rate", paramLabel = "REQUESTS", defaultValue = ""
            + DemoService.TRAFFIC, description = "Requests/s of all users (default: ${DEFAULT-VALUE}). Below some 400 the odd instance's capacity is out of reach.")
    private double rate;

    @Mixin
    private final ClientOptions options = new ClientOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    private final CountDownLatch ended = new CountDownLatch(1);

    private final InstantSource clock;

    FleetCommand() {
        this(InstantSource.system());
    }

    FleetCommand(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(rate > 0 && rate <= MAX_RATE)) {
            throw new ParameterException(command.commandLine(),
                    "--rate is above 0 and at most " + Math.round(MAX_RATE) + ", not " + rate);
        }
        RunOutput output = new LineOutput(command.commandLine().getOut());
        ShutdownSequence shutdown = new ShutdownSequence(output::print, "Stopping the fleet ...");
        try (ControllerClient controller = options.connect()) {
            DemoService service = DemoService.start(address, firstPort, proxy);
            shutdown.register(service.fleet());
            DemoTraffic traffic = shutdown.register(service.traffic(rate));
            output.print("Instances: " + String.join(", ", service.fleet().addresses()) + ", the odd one is "
                    + service.oddInstance());
            traffic.start();
            await(output, "the proxy to answer users", () -> traffic.succeeded() >= WARM_UP_REQUESTS);
            await(output, "the controller to know the service", () -> DemoService.isReady(controller));
            introduce(controller, service);
            output.print("Plan " + PLAN + " is at " + controller + ", and started by a deployment");
            ended.await();
            return 0;
        } finally {
            shutdown.close();
        }
    }

    /** A condition that may hold by now. */
    @FunctionalInterface
    interface Condition {

        boolean isTrue() throws IOException, InterruptedException;
    }

    void await(RunOutput output, String field, Condition condition) throws IOException, InterruptedException {
        output.print("Waiting for " + field);
        Instant deadline = clock.instant().plus(READY_TIMEOUT);
        IOException last = null;
        do {
            try {
                if (condition.isTrue()) {
                    return;
                }
            } catch (RequestRejectedException rejected) {
                throw rejected;
            } catch (IOException away) {
                last = away;
            }
            if (!clock.instant().isBefore(deadline)) {
                throw new IOException("Waited " + READY_TIMEOUT.toMinutes() + " minutes in vain for " + field, last);
            }
        } while (!ended.await(POLL.toMillis(), TimeUnit.MILLISECONDS));
    }

    private static void introduce(ControllerClient controller, DemoService service)
            throws IOException, InterruptedException {
        service.describeTo(controller);
        controller.put("/api/v1/plans/" + PLAN, "application/yaml", service.plan() + SCHEDULE);
        ObjectNode deployment = controller.object().put("service", DemoService.NAME).put("version", "demo");
        service.fleet().addresses().forEach(deployment.putArray("instances")::add);
        controller.post("/api/v1/events/deployments", deployment);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import io.redliner.embedded.EnvoyBinary;
import io.redliner.cli.watch.LineOutput;
import io.redliner.cli.watch.RunOutput;
import io.redliner.redirector.config.ServicesFileParser;
import io.redliner.redirector.discovery.ServiceDefinitions;
import io.redliner.standalone.stack.DataFolder;
import io.redliner.standalone.stack.StackSettings;
import io.redliner.standalone.stack.StandaloneStack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code redliner up}: runs RedLiner in one process in front of the user's own services, until Ctrl-C. */
@Command(name = "up", mixinStandardHelpOptions = true, description = "Runs RedLiner in one process in front of the services of a file, until Ctrl-C.")
final class UpCommand implements Callable<Integer> {

    @Mixin
    private final StandaloneOptions options = new StandaloneOptions();

    @Option(names = "--services", required = true, paramLabel = "FILE", description = "The services file: names, listeners and instances.")
    private Path services = Path.of("");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (!Files.isRegularFile(services)) {
            throw new ParameterException(spec.commandLine(), Files.isDirectory(services)
                    ? "The services file " + services.toAbsolutePath() + " is a folder"
                    : Files.exists(services)
                            ? "The services file " + services.toAbsolutePath()
                                    + " is a pipe or a device: it has to be a file, for up follows its changes"
                            : "There is no services file " + services.toAbsolutePath());
        }
        ServiceDefinitions definitions = ServicesFileParser.read(services);
        RunOutput output = new LineOutput(spec.commandLine().getOut());
        DataFolder data = options.lockDataFolder("up", false);
        output.print("Starting Kafka, PostgreSQL, Envoy and the four components (log: " + data.log() + ")");
        Path envoy = EnvoyBinary.locate();
        ShutdownSequence shutdown = new ShutdownSequence(output::print, "Stopping, the traffic first ...");
        shutdown.register(data);
        ProcessReport report = new ProcessReport(output::print, shutdown);
        StandaloneStack stack = shutdown.register(new StandaloneStack(
                new StackSettings(data, services.toAbsolutePath(), options.port(), envoy), report));
        try {
            stack.start();
            output.print("RedLiner is up: " + stack.dashboard() + "/   data: " + data + "   log: " + data.log());
            addresses(definitions).forEach(output::print);
            output.print("Should the dashboard not answer: curl -d '{\"reason\": \"...\"}' " + stack.killSwitch());
            output.print("Next: redliner run PLAN --watch --url " + stack.dashboard() + "   Stop: Ctrl-C");
            throw report.awaitFailure();
        } catch (RuntimeException e) {
            shutdown.awaitEndIfInterrupted();
            throw e;
        } finally {
            shutdown.close();
        }
    }

    /** Returns a line for each service with the address to which its users send requests: without traffic no run begins. */
    static List<String> addresses(ServiceDefinitions definitions) {
        return definitions.services().stream()
                .map(service -> "Service " + service.name() + ": " + service.integration().listenAddress()
                        .map(listen -> "send its traffic to " + listen)
                        .orElse("its traffic comes through the listener of its owner's proxies"))
                .toList();
    }
}

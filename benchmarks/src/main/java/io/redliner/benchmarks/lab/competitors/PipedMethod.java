// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.competitors;

import io.redliner.benchmarks.lab.api.CapacityMethod;
import io.redliner.benchmarks.lab.api.MethodResult;
import io.redliner.benchmarks.lab.api.MethodResult.Status;
import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.server.ServerWindowCounts;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** A method of others that runs as they published it: a process that asks for trials over a pipe, see {@code methods.py}. */
public final class PipedMethod implements CapacityMethod {

    /** Until a load that was asked for has arrived; none of a trial. */
    private static final double ARRIVING_SECONDS = 2;

    private static final double MAX_SECONDS = 3_600;

    private final List<String> command;

    private PipedMethod(List<String> command) {
        this.command = command;
    }

    /** A process of any kind that speaks as {@code methods.py} does. */
    static PipedMethod of(List<String> command) {
        return new PipedMethod(List.copyOf(command));
    }

    /**
     * One of {@code methods.py}.
     *
     * @param python the interpreter that has what {@code requirements.txt} asks for
     */
    public static PipedMethod named(String python, String method) {
        try (var script = Objects.requireNonNull(PipedMethod.class.getResourceAsStream("methods.py"))) {
            return of(List.of(python, "-c", new String(script.readAllBytes(), StandardCharsets.UTF_8), method));
        } catch (IOException e) {
            throw new UncheckedIOException("methods.py cannot be read", e);
        }
    }

    /** @throws IllegalStateException when the process ends without an answer, with what it said */
    @Override
    public MethodResult find(ServerFleet fleet) {
        Process process = null;
        try {
            process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            try (var output = process.outputWriter(StandardCharsets.UTF_8);
                    var input = process.inputReader(StandardCharsets.UTF_8)) {
                return talk(fleet, input, output);
            }
        } catch (IOException e) {
            throw new IllegalStateException("the method's process failed: is what requirements.txt lists installed for "
                    + command.getFirst() + "? -Dlab.python names another interpreter", e);
        } finally {
            if (process != null) {
                process.destroy();
            }
        }
    }

    private static MethodResult talk(ServerFleet fleet, BufferedReader input, BufferedWriter output)
            throws IOException {
        var kind = fleet.kind();
        var actuator = new LoadActuator(fleet);
        say(output, fleet.naturalLoad(), actuator.reachable(), kind.slowAllowed(),
                ServerKind.FAILED_ALLOWED, 1_000 * kind.limitSeconds());
        while (fleet.seconds() < MAX_SECONDS) {
            String line = input.readLine();
            if (line == null) {
                throw new IOException("no answer");
            }
            var words = List.of(line.split(" "));
            switch (words.getFirst()) {
                case "try" -> attempt(actuator, fleet, output, number(words, 1), number(words, 2));
                case "found" -> {
                    return MethodResult.found(number(words, 1), number(words, 2), number(words, 3));
                }
                case "exhausted" -> {
                    return MethodResult.exhausted(number(words, 1), number(words, 1));
                }
                case "none" -> {
                    return MethodResult.none(Status.GAVE_UP);
                }
                default -> throw new IOException("not understood: " + line);
            }
        }
        return MethodResult.none(Status.OUT_OF_TIME);
    }

    private static void attempt(LoadActuator actuator, ServerFleet fleet, BufferedWriter output, double load,
            double seconds)
            throws IOException {
        var kind = fleet.kind();
        actuator.load(load, ARRIVING_SECONDS);
        List<ServerWindowCounts> windows = new ArrayList<>();
        var pool = actuator.load(load, seconds, windows::add);
        if (!pool.holds(kind)) {
            actuator.recover();
        }
        say(output, pool.seconds(), pool.arrivals(), pool.served(), pool.slow(),
                pool.completed(), pool.errors(), millis(windows, kind.slowAllowed()));
    }

    private static double millis(List<ServerWindowCounts> windows, double above) {
        int[] sorted = windows.stream().map(ServerWindowCounts::latencyMicros).flatMapToInt(it -> it).sorted()
                .toArray();
        return sorted.length == 0
                ? Double.NaN
                : sorted[Math.clamp((long) Math.ceil((1 - above) * sorted.length) - 1, 0, sorted.length - 1)] / 1_000.0;
    }

    private static double number(List<String> words, int at) throws IOException {
        try {
            return Double.parseDouble(words.get(at));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new IOException("not understood: " + String.join(" ", words), e);
        }
    }

    private static void say(BufferedWriter output, Number... numbers) throws IOException {
        output.write(Arrays.stream(numbers).map(String::valueOf).collect(Collectors.joining(" ")));
        output.newLine();
        output.flush();
    }
}

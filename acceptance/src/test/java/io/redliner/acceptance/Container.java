// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;

/** A container of a compose project, by the command {@code docker}. */
record Container(String id, String name) {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** The status of what SIGKILL ended. */
    private static final String KILLED = "137";

    /** @throws IllegalStateException when no Docker engine answers; says what to do */
    static void requireEngine() {
        try {
            output("docker", "version", "--format", "{{.Server.Version}}");
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "The tests with containers need a Docker engine, and none answers: install it"
                            + " (Debian: apt-get install docker.io), or run .ci/containers, which starts one of its own",
                    e);
        }
    }

    /** All of a service, running or not, in the order of their names. */
    static List<Container> of(String project, String service) {
        String listed = output("docker", "ps", "--all", "--filter", "label=com.docker.compose.project=" + project,
                "--filter", "label=com.docker.compose.service=" + service, "--format", "{{.ID}} {{.Names}}");
        List<Container> found = listed.lines().map(line -> line.split(" "))
                .map(words -> new Container(words[0], words[1]))
                .sorted((one, other) -> one.name().compareTo(other.name())).toList();
        if (found.isEmpty()) {
            throw new IllegalStateException("project " + project + " has no container of " + service
                    + ": .ci/containers starts them");
        }
        return found;
    }

    /**
     * SIGTERM, and what the program then does before it ends.
     *
     * @throws IllegalStateException when it had to be killed
     */
    void stop() {
        output("docker", "stop", "--time", "30", id);
        String status = inspected("{{.State.ExitCode}}");
        if (status.equals(KILLED)) {
            throw new IllegalStateException(name + " did not end within 30 s of SIGTERM");
        }
    }

    /** SIGKILL. */
    void kill() {
        output("docker", "kill", id);
    }

    /** Starts it again, and waits until its own check says that it is healthy. */
    void start() {
        output("docker", "start", id);
        awaitHealthy();
    }

    /** Makes its own check, again and again: Docker itself makes it too rarely for that. */
    void awaitHealthy() {
        List<String> check = new ArrayList<>();
        new JsonMapper().readTree(inspected("{{json .Config.Healthcheck.Test}}")).forEach(
                word -> check.add(word.asString()));
        String[] command = check.subList(1, check.size()).toArray(String[]::new);
        await(name + " to be healthy").atMost(TIMEOUT).pollInterval(Duration.ofSeconds(1)).ignoreExceptions()
                .until(() -> {
                    execute(command);
                    return true;
                });
    }

    /** Whether it runs. */
    boolean isUp() {
        return inspected("{{.State.Running}}").equals("true");
    }

    /** Its address in the project's network. */
    String address() {
        return inspected("{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}");
    }

    /** Runs a command in it. */
    void execute(String... command) {
        List<String> all = new ArrayList<>(List.of("docker", "exec", id));
        all.addAll(List.of(command));
        output(all.toArray(String[]::new));
    }

    /** Drops whatever goes between it and a TCP port of another. Connections stay, and hear nothing. */
    void cutOff(Container other, int port) {
        filter("--append", other, port);
    }

    /** The opposite of {@link #cutOff}. */
    void rejoin(Container other, int port) {
        filter("--delete", other, port);
    }

    private void filter(String what, Container other, int port) {
        filter(what, "OUTPUT", "--destination", other, "--dport", port);
        filter(what, "INPUT", "--source", other, "--sport", port);
    }

    private void filter(String what, String chain, String side, Container other, String portOf, int port) {
        output("nsenter", "--target", inspected("{{.State.Pid}}"), "--net", "iptables", what, chain, side,
                other.address(), "--protocol", "tcp", portOf, Integer.toString(port), "--jump", "DROP");
    }

    private String inspected(String format) {
        return output("docker", "inspect", "--format", format, id).strip();
    }

    private static String output(String... command) {
        try {
            Path output = Files.createTempFile("redliner-container", ".log");
            try {
                Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile())
                        .start();
                boolean ended = process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
                process.destroyForcibly();
                String said = Files.readString(output);
                if (!ended || process.exitValue() != 0) {
                    throw new IllegalStateException(Arrays.toString(command) + ": " + said);
                }
                return said;
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new IllegalStateException(Arrays.toString(command), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

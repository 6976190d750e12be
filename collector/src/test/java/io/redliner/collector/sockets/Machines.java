// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Two network namespaces with a cable between them, as if they were two machines, and processes in them. */
final class Machines implements AutoCloseable {

    /** Of the first machine. */
    static final String ADDRESS = "10.203.47.1";

    private final String first = "redliner-test-a-" + ProcessHandle.current().pid();

    private final String second = "redliner-test-b-" + ProcessHandle.current().pid();

    private final List<Process> processes = new ArrayList<>();

    /** @throws IOException when none can be made here, such as without root or iproute2 */
    Machines() throws IOException {
        run("ip", "netns", "add", first);
        try {
            run("ip", "netns", "add", second);
            run("ip", "-n", first, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", second);
            run("ip", "-n", first, "address", "add", ADDRESS + "/30", "dev", "cable");
            run("ip", "-n", second, "address", "add", "10.203.47.2/30", "dev", "cable");
            run("ip", "-n", first, "link", "set", "lo", "mtu", "1500", "up");
            run("ip", "-n", first, "link", "set", "cable", "up");
            run("ip", "-n", second, "link", "set", "cable", "up");
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Lets no more than 1 Mbit/s leave the first machine, and over its own loopback. */
    void slow() throws IOException {
        for (String device : List.of("lo", "cable")) {
            run("tc", "-n", first, "qdisc", "add", "dev", device, "root", "tbf", "rate", "1mbit", "burst", "16kb",
                    "latency", "5s");
        }
    }

    /** Starts a server that writes, on the first machine; tells its port. */
    int serve() throws IOException {
        return Integer.parseInt(String.valueOf(start(first, "serve", ADDRESS).inputReader().readLine()));
    }

    /** Starts a client of it on the same machine, that reads. */
    void readNearby(int port) throws IOException {
        start(first, "read", ADDRESS, Integer.toString(port));
    }

    /** Starts a client of it on the other machine, that reads. */
    void readFarAway(int port) throws IOException {
        start(second, "read", ADDRESS, Integer.toString(port));
    }

    /** Starts a client of it on the other machine, that does not read. */
    void stallFarAway(int port) throws IOException {
        start(second, "stall", ADDRESS, Integer.toString(port));
    }

    @Override
    public void close() throws IOException {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(process -> process.onExit().join());
        run("sh", "-c", "ip netns delete " + second + "; ip netns delete " + first);
    }

    private Process start(String machine, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", machine,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-Xmx32m",
                "-cp", Path.of(Transfer.class.getProtectionDomain().getCodeSource().getLocation().getPath()).toString(),
                Transfer.class.getName()));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        processes.add(process);
        return process;
    }

    /** {@code tc} lies where not everybody's PATH leads to. */
    private static void run(String... command) throws IOException {
        List<String> found = new ArrayList<>(List.of("env", "PATH=" + System.getenv("PATH") + ":/usr/sbin:/sbin"));
        found.addAll(Arrays.asList(command));
        Process process = new ProcessBuilder(found).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said.strip());
        }
    }
}

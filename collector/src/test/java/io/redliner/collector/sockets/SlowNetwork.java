// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A network namespace of its own, of 1 Mbit/s, with a {@link Transfer} in it. */
final class SlowNetwork implements AutoCloseable {

    static final String ADDRESS = "10.203.47.1";

    private final String name = "redliner-test-" + ProcessHandle.current().pid();

    private final Process process;

    private final int port;

    /** @throws IOException when none can be made here, such as without root or iproute2 */
    SlowNetwork() throws IOException {
        run("ip", "netns", "add", name);
        try {
            inside("ip", "link", "set", "lo", "mtu", "1500", "up");
            inside("ip", "address", "add", ADDRESS + "/32", "dev", "lo");
            inside("tc", "qdisc", "add", "dev", "lo", "root", "tbf", "rate", "1mbit", "burst", "16kb", "latency", "5s");
            process = new ProcessBuilder("ip", "netns", "exec", name,
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-Xmx32m",
                    "-cp", Path.of(Transfer.class.getProtectionDomain().getCodeSource().getLocation().getPath())
                            .toString(),
                    Transfer.class.getName(), ADDRESS).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            port = Integer.parseInt(String.valueOf(process.inputReader().readLine()));
        } catch (IOException | NumberFormatException e) {
            run("ip", "netns", "delete", name);
            throw e;
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().join();
        run("ip", "netns", "delete", name);
    }

    private void inside(String... command) throws IOException {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", name));
        all.addAll(Arrays.asList(command));
        run(all.toArray(String[]::new));
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said.strip());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.gallery;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A network namespace as a container has it, whose link carries so many bits per second. The test is skipped where none can be made. */
final class LimitedLink implements Closeable {

    /** The server's end, in the range that RFC 2544 keeps for measurements. */
    static final String ADDRESS = "198.18.77.2";

    private static final String NAMESPACE = "redliner-gallery";

    private static final String OUTSIDE = "redliner-veth";

    private LimitedLink() {}

    /** @param megabits per second that the server may send */
    static LimitedLink of(int megabits) {
        String inside = "ip -n " + NAMESPACE + " ";
        // One that an ended test left behind goes first.
        run("ip netns del " + NAMESPACE);
        for (String command : List.of("ip netns add " + NAMESPACE,
                "ip link add " + OUTSIDE + " type veth peer name eth0 netns " + NAMESPACE,
                "ip addr add 198.18.77.1/30 dev " + OUTSIDE, "ip link set " + OUTSIDE + " up",
                inside + "addr add " + ADDRESS + "/30 dev eth0", inside + "link set eth0 up",
                inside + "link set lo up", "tc -n " + NAMESPACE + " qdisc add dev eth0 root tbf rate " + megabits
                        + "mbit burst 64kb latency 400ms")) {
            String refused = run(command);
            Assumptions.assumeTrue(refused.isEmpty(), command + ": " + refused);
        }
        return new LimitedLink();
    }

    /** Returns the command as it begins in the namespace. */
    List<String> enter(List<String> command) {
        List<String> inNamespace = new ArrayList<>(List.of("ip", "netns", "exec", NAMESPACE));
        inNamespace.addAll(command);
        return inNamespace;
    }

    /** The namespace takes its link with it. */
    @Override
    public void close() {
        run("ip netns del " + NAMESPACE);
    }

    /** Returns what the command complains of; empty when it was done. */
    private static String run(String command) {
        try {
            Process process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.onExit().join().exitValue() == 0 ? "" : said.isEmpty() ? "it failed" : said;
        } catch (IOException notThere) {
            return String.valueOf(notThere.getMessage());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.process;

import io.redliner.embedded.EmbeddedKafka;
import java.io.IOException;

/** A broker in a process of its own; it ends when nobody listens to it any more. */
public final class BrokerProcess {

    private BrokerProcess() {}

    /** Prints its address, and runs until its input ends. */
    public static void main(String[] arguments) throws IOException {
        try (var kafka = EmbeddedKafka.startTemporary()) {
            System.out.println(JavaProcess.READY + kafka.bootstrapServers());
            while (System.in.read() >= 0) {
                // Nothing is said; the end of the input is what is waited for.
            }
        }
        System.exit(0);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.io.IOException;
import java.util.OptionalLong;
import javax.management.MBeanServerConnection;

/**
 * A connection to a JVM.
 *
 * @param beans the JVM's beans
 * @param process its id when it runs on this machine
 * @param end how to end the connection
 */
record JvmConnection(MBeanServerConnection beans, OptionalLong process, End end) {

    /** Ends a connection. */
    @FunctionalInterface
    interface End {

        void close() throws IOException;
    }
}

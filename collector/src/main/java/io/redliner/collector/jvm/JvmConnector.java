// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.redliner.collector.source.Target;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.MalformedURLException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Opens connections to one JVM. Opening can take long. */
@FunctionalInterface
interface JvmConnector {

    /** The value of {@code jmx} in the settings that stands for the JVM of the local process. */
    String LOCAL = "local";

    /**
     * Size of the smallest heap that is read without having been asked for, bytes. The first reading allocated 10 MB in a JVM with 23
     * threads, of which 2 MB stayed; in a heap of 48 MiB, nearly full, the instance's own requests ran out of memory.
     */
    long MIN_HEAP = 64L << 20;

    /**
     * Opens a connection.
     *
     * @throws NoJvmException when the local process is no JVM, and the settings do not name it as one
     * @throws IOException when the JVM cannot be reached now; its message says what to do
     */
    JvmConnection open() throws IOException;

    /**
     * Returns the connector for the target's {@code jmx}; without one, that for a local process.
     *
     * @param proc where the kernel's tables are, mostly {@code /proc}
     */
    static JvmConnector of(Target target, JvmProperties properties, Path proc) {
        String jmx = target.jmx().orElse(LOCAL);
        return LOCAL.equals(jmx)
                ? () -> local(target, proc)
                : () -> remote(jmx, properties.login(), OptionalLong.empty());
    }

    private static JvmConnection local(Target target, Path proc) throws IOException {
        long process = target.process(proc).search().orElseThrow(
                () -> new IOException("no process that may be looked at listens on port " + target.port()));
        if (process == ProcessHandle.current().pid()) {
            return new JvmConnection(ManagementFactory.getPlatformMBeanServer(), OptionalLong.of(process), () -> {});
        }
        if (!isJvm(proc.resolve(Long.toString(process)))) {
            if (target.jmx().isEmpty()) {
                throw new NoJvmException();
            }
            throw new IOException("process " + process + ", which listens on port " + target.port() + ", is no JVM");
        }
        if (target.jmx().isEmpty()) {
            requireRoom(HsPerfData.largestHeap(proc, process), process);
        }
        return remote(agentOf(process), Map.of(), OptionalLong.of(process));
    }

    /**
     * Returns whether a process has loaded the JVM's library. Attaching begins with a signal (SIGQUIT) that ends most other
     * programs. A file of counters is no proof: a JVM that was killed leaves it, under an id that another process may have by
     * now.
     */
    private static boolean isJvm(Path process) throws IOException {
        try (BufferedReader maps = Files.newBufferedReader(process.resolve("maps"), StandardCharsets.ISO_8859_1)) {
            return maps.lines().anyMatch(line -> line.contains("/libjvm.so"));
        } catch (IOException | UncheckedIOException e) {
            throw new IOException("process " + process.getFileName()
                    + " cannot be looked into: it has to be a JVM, of the same user as the collector", e);
        }
    }

    /** Fails for a heap that the reading of a JVM may fill. A heap whose size is not known is read: few JVMs keep no counters. */
    static void requireRoom(OptionalLong largestHeap, long process) throws IOException {
        if (largestHeap.isPresent() && largestHeap.getAsLong() < MIN_HEAP) {
            throw new IOException("process " + process + " has a heap of at most " + (largestHeap.getAsLong() >> 20)
                    + " MiB, which its reading may fill: nothing of its JVM; `jmx: local` at the instance has it read all the"
                    + " same");
        }
    }

    private static String agentOf(long process) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(process));
            try {
                return machine.startLocalManagementAgent();
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException("process " + process + " cannot be attached to (" + e.getMessage()
                    + "): it has to be a JVM, of the same user as the collector", e);
        }
    }

    // Such a connection believes what the other side sends: the URL comes from the operator's settings, never from outside.
    @SuppressWarnings("BanJNDI")
    private static JvmConnection remote(String url, Map<String, Object> login, OptionalLong process)
            throws IOException {
        JMXConnector connector;
        try {
            connector = JMXConnectorFactory.connect(new JMXServiceURL(url), login);
        } catch (MalformedURLException e) {
            throw new IOException("'" + url + "' is not a JMX service URL: " + e.getMessage(), e);
        }
        return new JvmConnection(connector.getMBeanServerConnection(), process, connector::close);
    }

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

    /** A local process is no JVM, and the settings do not name it as one. */
    final class NoJvmException extends IOException {

        private static final long serialVersionUID = 1L;

        NoJvmException() {
            super("the process is no JVM");
        }
    }
}

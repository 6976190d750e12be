// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.redliner.collector.machine.ListeningProcess;
import io.redliner.collector.source.Target;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.MalformedURLException;
import java.util.Map;
import java.util.OptionalLong;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A way to a JVM. Opening it can take long. */
@FunctionalInterface
interface JvmDoor {

    /**
     * Opens it.
     *
     * @throws IOException when there is no way to the JVM now; its message says what to do
     */
    Jvm open() throws IOException;

    /** The one that the target's {@code jmx} names. */
    static JvmDoor of(Target target, JvmProperties properties, ListeningProcess processes) {
        String jmx = target.jmx().orElseThrow();
        return "local".equals(jmx)
                ? () -> local(target.port(), processes)
                : () -> remote(jmx, properties.login(), OptionalLong.empty());
    }

    private static Jvm local(int port, ListeningProcess processes) throws IOException {
        long process = processes.on(port)
                .orElseThrow(() -> new IOException("no process that may be looked at listens on port " + port));
        if (process == ProcessHandle.current().pid()) {
            return new Jvm(ManagementFactory.getPlatformMBeanServer(), OptionalLong.of(process), () -> {});
        }
        return remote(agentOf(process), Map.of(), OptionalLong.of(process));
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
    private static Jvm remote(String url, Map<String, Object> login, OptionalLong process) throws IOException {
        JMXConnector connector;
        try {
            connector = JMXConnectorFactory.connect(new JMXServiceURL(url), login);
        } catch (MalformedURLException e) {
            throw new IOException("'" + url + "' is not a JMX service URL: " + e.getMessage(), e);
        }
        return new Jvm(connector.getMBeanServerConnection(), process, connector::close);
    }
}

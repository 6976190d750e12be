// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.linux.InstanceProcessLocator;
import io.redliner.collector.linux.InstanceSocket;
import io.redliner.collector.windowing.InstanceId;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * An instance that sources may measure.
 *
 * @param instanceId the instance and its service
 * @param port of the instance's address: the TCP port that it listens on
 * @param local whether it runs on this machine, so that the machine and the process can be measured
 * @param scrape where it exposes metrics for Prometheus, if it does
 * @param jmx the JMX service URL of its JVM, or {@code local}: that of the local process that listens on the port
 * @param linkSpeed of each link that it has, bytes/s in each direction, if the settings know it
 * @param listed whether it is known from redirectors alone, and not from the settings
 */
public record Target(InstanceId instanceId, int port, boolean local, Optional<URI> scrape, Optional<String> jmx,
        OptionalDouble linkSpeed, boolean listed) {

    /** Creates a target of the settings that say nothing of its link. */
    public Target(InstanceId instanceId, int port, boolean local, Optional<URI> scrape, Optional<String> jmx) {
        this(instanceId, port, local, scrape, jmx, OptionalDouble.empty(), false);
    }

    /** Creates a target that redirectors list. */
    static Target listed(InstanceId instanceId, int port) {
        return new Target(instanceId, port, false, Optional.empty(), Optional.empty(), OptionalDouble.empty(), true);
    }

    /** Returns the same target, marked as running on this machine. */
    Target onThisMachine() {
        return new Target(instanceId, port, true, scrape, jmx, linkSpeed, listed);
    }

    /** Returns the address on which it listens. */
    InstanceSocket socket() {
        String instance = instanceId.instance();
        return new InstanceSocket(instance.substring(0, Math.max(0, instance.lastIndexOf(':'))), port);
    }

    /**
     * Returns a locator of its process on this machine.
     *
     * @param proc where the kernel's tables are, mostly {@code /proc}
     */
    public InstanceProcessLocator process(Path proc) {
        return new InstanceProcessLocator(proc, socket(), listed);
    }
}

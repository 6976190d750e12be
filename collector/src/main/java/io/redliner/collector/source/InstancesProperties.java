// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.linux.InstanceSocket;
import io.redliner.collector.windowing.InstanceId;
import io.redliner.contract.address.InstanceAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the instances whose machines and processes this collector measures. The requests of instances are measured without an
 * entry.
 *
 * @param instances one entry for each; those that redirectors list and that run on this machine need none
 * @param root the folder that the machine's {@code proc} and {@code sys} are in; another one than {@code /} where the collector
 *            runs in a container and they are mounted
 */
@ConfigurationProperties("redliner.collector")
public record InstancesProperties(@DefaultValue List<Entry> instances, @DefaultValue("/") String root) {

    private static final String NO_ROOT = "/";

    private static final int MAX_MEGABITS = 10_000_000;

    private static final double BYTES_PER_MEGABIT = 1e6 / Byte.SIZE;

    public InstancesProperties {
        // A machine of another kind has none.
        if (!NO_ROOT.equals(root) && !Files.isDirectory(Path.of(root, "proc"))) {
            throw new IllegalArgumentException(
                    "redliner.collector.root is a folder with the kernel's proc in it; not '" + root + "'");
        }
        Set<InstanceId> names = new HashSet<>();
        for (Entry entry : instances) {
            if (!names.add(entry.target().instanceId())) {
                throw new IllegalArgumentException(
                        "redliner.collector.instances: " + entry.target().instanceId() + " is there twice");
            }
        }
    }

    /** Returns the root as a path. The setting itself is a text, because Spring would resolve a path on the class path. */
    public Path rootFolder() {
        return Path.of(root);
    }

    /**
     * Returns the speed of a link in bytes/s; empty when it is unknown.
     *
     * @param setting its name
     * @param megabits Mbit/s, up to 10 million; 0: unknown
     * @throws IllegalArgumentException for another number
     */
    public static OptionalDouble bytesPerSecond(String setting, int megabits) {
        if (megabits < 0 || megabits > MAX_MEGABITS) {
            throw new IllegalArgumentException(setting + " is the speed of a link in Mbit/s, 1 to " + MAX_MEGABITS
                    + ", such as 1000, or 0 for unknown; not " + megabits);
        }
        return megabits == 0 ? OptionalDouble.empty() : OptionalDouble.of(megabits * BYTES_PER_MEGABIT);
    }

    /** Converts the entries to targets. */
    public List<Target> targets() {
        return instances.stream().map(Entry::target).toList();
    }

    /**
     * One instance.
     *
     * @param service the service's name
     * @param address as host:port, as the proxies call it
     * @param local whether it runs on this machine
     * @param scrape an http or https URL that exposes metrics for Prometheus; none: it is not scraped
     * @param jmx a JMX service URL, or {@code local} for the local process that listens on the port; none: no JMX
     * @param linkMegabits speed of each link that the instance has, in Mbit/s in each direction, up to 10 million; 0: unknown, and
     *            the machine's links count
     */
    public record Entry(@DefaultValue("") String service, @DefaultValue("") String address,
            @DefaultValue("false") boolean local, @Nullable URI scrape, @Nullable String jmx,
            @DefaultValue("0") int linkMegabits) {

        private static final int MAX_PORT = 65_535;

        private static final String WHERE = "redliner.collector.instances: ";

        public Entry {
            if (service.isEmpty()) {
                throw new IllegalArgumentException(WHERE + "each needs a service; one with the address '" + address
                        + "' has none");
            }
            if (port(address) == 0) {
                throw new IllegalArgumentException(WHERE + "an address is host:port, as the proxies call it; not '"
                        + address + "'");
            }
            if (scrape != null && (scrape.getHost() == null
                    || !Set.of("http", "https").contains(String.valueOf(scrape.getScheme())))) {
                throw new IllegalArgumentException(WHERE + "scrape is an http or https URL; not '" + scrape + "'");
            }
            if (scrape != null && scrape.getRawUserInfo() != null) {
                throw new IllegalArgumentException(WHERE + "scrape of " + address + " has a user in its URL: write "
                        + "redliner.collector.scrape.credentials.username and .password instead");
            }
            if (jmx != null && !jmx.startsWith("service:jmx:") && !"local".equals(jmx)) {
                throw new IllegalArgumentException(
                        WHERE + "jmx is a JMX service URL (service:jmx:...) or local; not '" + jmx + "'");
            }
            if ("local".equals(jmx) && !local) {
                throw new IllegalArgumentException(WHERE + address + " has jmx: local, and needs local: true for that");
            }
            bytesPerSecond(WHERE + "link-megabits of " + address, linkMegabits);
        }

        Target target() {
            return new Target(new InstanceId(service, InstanceAddress.canonical(address)), port(address), local,
                    Optional.ofNullable(scrape), Optional.ofNullable(jmx), bytesPerSecond(WHERE, linkMegabits), false);
        }

        /** Returns the port; 0 when there is none. */
        private static int port(String address) {
            return InstanceSocket.of(address).map(InstanceSocket::port).filter(port -> port <= MAX_PORT).orElse(0);
        }
    }
}

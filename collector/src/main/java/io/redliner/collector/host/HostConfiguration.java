// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.ProcFiles;
import io.redliner.collector.source.InstancesProperties;
import io.redliner.collector.source.LocalTargets;
import io.redliner.collector.source.MetricSource;
import io.redliner.collector.source.SampleSet;
import io.redliner.collector.source.ScheduledProbe;
import io.redliner.collector.source.SelfGauges;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import io.redliner.collector.windowing.MeasurementSink;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(HostConfiguration.HostProperties.class)
class HostConfiguration {

    /** The collector's own host is always measured, unlike the hosts of instances. */
    @Bean
    SelfGauges collectorHost() {
        return new CollectorHost(Path.of("/"));
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnProperty(prefix = "redliner.collector.host", name = "enabled", matchIfMissing = true)
    MetricSource hostSource(HostProperties host, InstancesProperties properties, LocalTargets targets,
            ScheduledProbe.Pace pace, MeasurementSink measurements, InstantSource clock) {
        Path root = properties.rootFolder();
        return ScheduledProbe.start(new HostProbe(targets, root, new OshiDeviceInventory(root, host.linkSpeed())),
                pace, measurements, clock);
    }

    /**
     * Settings of the host probe.
     *
     * @param enabled whether the collector measures this machine
     * @param linkMegabits speed of each link whose speed the kernel does not know, as of containers and many virtual machines, in
     *            Mbit/s in each direction, up to 10 million; 0: unknown
     */
    @ConfigurationProperties(prefix = "redliner.collector.host", ignoreUnknownFields = false)
    record HostProperties(@DefaultValue("true") boolean enabled, @DefaultValue("0") int linkMegabits) {

        HostProperties {
            InstancesProperties.bytesPerSecond("redliner.collector.host.link-megabits", linkMegabits);
        }

        /** Returns the speed in bytes/s; empty when it is unknown. */
        OptionalDouble linkSpeed() {
            return InstancesProperties.bytesPerSecond("redliner.collector.host.link-megabits", linkMegabits);
        }
    }

    /** The CPU time that the hypervisor and the collector's own quota take from it, and that of the proxies beside it. For one thread. */
    static final class CollectorHost implements SelfGauges {

        private static final InstanceId SELF = new InstanceId("redliner", "collector");

        private final Path root;

        private final CpuUtilizationSampler cpuSampler = new CpuUtilizationSampler();

        private final CpuQuotas cpuQuotas;

        private final ProxyThreads proxyThreads;

        /** @param root where {@code proc} and {@code sys} are */
        CollectorHost(Path root) {
            this.root = root;
            cpuQuotas = new CpuQuotas(root, "the collector");
            proxyThreads = new ProxyThreads(root.resolve("proc"));
        }

        /**
         * Returns the values since the last call, 0 to 1. {@code collector.steal} is the part of the machine's time that the
         * hypervisor gave to others. {@code collector.throttled} is the part of the periods in which the quota was used up.
         * {@code proxy.cpu} is the part of one core that the busiest worker of an Envoy on this machine used. A value that cannot be
         * read is missing, and so are throttling without a quota and the worker without an Envoy.
         */
        @Override
        public Map<String, Double> sample(Instant now) {
            Map<String, Double> taken = new HashMap<>();
            ProcFiles.text(root.resolve("proc/stat")).flatMap(ProcStat::parse)
                    .flatMap(stat -> cpuSampler.ofAll(stat, now))
                    .ifPresent(use -> taken.put("collector.steal", use.steal()));
            SampleSet samples = new SampleSet(now, now);
            cpuQuotas.find(samples,
                    CgroupMembership.parse(ProcFiles.text(root.resolve("proc/self/cgroup")).orElse("")));
            cpuQuotas.sample(samples);
            samples.measurements(SELF).stream().filter(reading -> reading.name().equals("cpu.throttled"))
                    .mapToDouble(GaugeMeasurement::value).max()
                    .ifPresent(part -> taken.put("collector.throttled", part));
            proxyThreads.busiest(now).ifPresent(part -> taken.put("proxy.cpu", part));
            return taken;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.source.InstanceRegistry;
import io.redliner.collector.windowing.ErrorStatuses;
import io.redliner.collector.windowing.OwnLimits.ProxyLimit;
import io.redliner.collector.windowing.OwnLimits;
import io.redliner.collector.windowing.RequestClassifier;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.contract.sender.SenderProof;
import io.redliner.contract.sender.StatusSenders.Standing;
import io.redliner.contract.sender.StatusSenders;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the redirectors' lease statuses, which carry the error statuses, the streams, the proxies and the instances of each
 * service.
 */
final class LeaseStatusHandler {

    private static final Logger log = LoggerFactory.getLogger(LeaseStatusHandler.class);

    /** A sender is silent after this time; a redirector reports each service every second. */
    private static final Duration SILENCE_LIMIT = Duration.ofSeconds(5);

    private static final int MAX_SHOWN = 100;

    /** Eleven days in milliseconds; RedLiner chooses no larger limit. */
    private static final long MAX_LIMIT = 1_000_000_000;

    private final WindowAggregator windows;

    private final InstanceRegistry instances;

    private final StatusSenders senders = new StatusSenders(SILENCE_LIMIT);

    private final Counter malformed;

    private final Counter ignored;

    LeaseStatusHandler(WindowAggregator windows, InstanceRegistry instances, MeterRegistry registry) {
        this.windows = windows;
        this.instances = instances;
        malformed = registry.counter("redliner.collector.lease.status.malformed");
        ignored = registry.counter("redliner.collector.lease.status.ignored");
    }

    /**
     * Applies one record. A record that cannot be parsed changes nothing.
     *
     * @param service the record's key
     * @param value a {@link LeaseStatus}, or null, which changes nothing
     */
    void apply(String service, byte @Nullable [] value, Instant now) {
        if (value == null) {
            return;
        }
        try {
            LeaseStatus status = LeaseStatus.parseFrom(value);
            if (!status.getService().equals(service)) {
                throw new IllegalArgumentException("it is of service '" + status.getService() + "'");
            }
            if (status.hasErrors() && counts(status, now)) {
                apply(status, now);
            }
        } catch (InvalidProtocolBufferException | RuntimeException e) {
            malformed.increment();
            if (malformed.count() == 1) {
                log.warn("A lease status of service {} is not to be understood: {}", service, e.getMessage());
            }
        }
    }

    /**
     * Returns whether the status counts, see {@link StatusSenders}: a stranger's status changes neither what is counted nor which
     * instances are measured.
     */
    private boolean counts(LeaseStatus status, Instant now) {
        Standing standing = senders.judge(status.getService(), status.getRedirector(), SenderProof.read(status),
                windows.reports(status.getService(), status.getRedirector(), nodes(status), now), now);
        if (standing == Standing.BELIEVED || standing == Standing.IGNORED) {
            return standing == Standing.BELIEVED;
        }
        ignored.increment();
        if (ignored.count() == 1) {
            log.warn("A lease status of service {} does not count ({}): no proxy of its sender reports here",
                    status.getService().substring(0, Math.min(MAX_SHOWN, status.getService().length())), standing);
        }
        return false;
    }

    private void apply(LeaseStatus status, Instant now) {
        String service = status.getService();
        windows.classifyBy(service, new RequestClassifier(read(status.getErrors()), status.getStreamsList(),
                read(status.getOwnLimits())));
        if (senders.confirmed(service) || windows.isTested(service)) {
            Map<String, String> hosts = new LinkedHashMap<>();
            status.getInstancesList().forEach(instance -> hosts.put(instance.getAddress(), instance.getHost()));
            instances.list(status.getRedirector(), service, hosts, now);
        }
        if (status.getProxiesConnected() <= status.getProxiesCount() || status.getNodesCount() > 0) {
            windows.listProxies(service, status.getRedirector(), nodes(status), now);
        }
    }

    /** Returns the node ids of all proxies, or of some of them where the status does not name all. */
    private static List<String> nodes(LeaseStatus status) {
        return status.getProxiesConnected() > status.getProxiesCount() && status.getNodesCount() > 0
                ? status.getNodesList()
                : status.getProxiesList().stream().map(ProxyStatus::getNode).toList();
    }

    private static ErrorStatuses read(io.redliner.contract.v1.ErrorStatuses errors) {
        return new ErrorStatuses(errors.getHttpList().stream()
                .map(range -> new ErrorStatuses.Range(range.getFirst(), range.getLast())).toList(),
                Set.copyOf(errors.getGrpcList()));
    }

    private static OwnLimits read(io.redliner.contract.v1.OwnLimits limits) {
        Map<ProxyLimit, Long> values = new EnumMap<>(ProxyLimit.class);
        values.put(ProxyLimit.ROUTE_TIMEOUT, limits.getRouteTimeoutMs());
        values.put(ProxyLimit.IDLE_TIMEOUT, limits.getIdleTimeoutMs());
        values.put(ProxyLimit.CIRCUIT_BREAKER, limits.getCircuitBreakerRequests());
        values.values().removeIf(value -> value <= 0 || value > MAX_LIMIT);
        return new OwnLimits(values);
    }

    long malformed() {
        return (long) malformed.count();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.source.InstanceRegistry;
import io.redliner.collector.windowing.ErrorStatuses;
import io.redliner.collector.windowing.RequestClassifier;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies the redirectors' statuses: they have the errors, the streams, the proxies and the instances of each service. */
final class LeaseStatusHandler {

    private static final Logger log = LoggerFactory.getLogger(LeaseStatusHandler.class);

    private final WindowAggregator windows;

    private final InstanceRegistry instances;

    private final Counter malformed;

    LeaseStatusHandler(WindowAggregator windows, InstanceRegistry instances, MeterRegistry registry) {
        this.windows = windows;
        this.instances = instances;
        malformed = registry.counter("redliner.collector.lease.status.malformed");
    }

    /**
     * Applies one record. One that is not to be understood changes nothing.
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
            if (status.hasErrors()) {
                windows.classifyBy(service,
                        new RequestClassifier(read(status.getErrors()), status.getStreamsList()));
                // A redirector that does not know the service has neither.
                instances.list(status.getRedirector(), service,
                        status.getInstancesList().stream().map(Instance::getAddress).toList(), now);
                if (status.getProxiesConnected() <= status.getProxiesCount()) {
                    windows.listProxies(service, status.getProxiesList().stream().map(ProxyStatus::getNode).toList(),
                            now);
                } else if (status.getNodesCount() > 0) {
                    windows.listProxies(service, status.getNodesList(), now);
                }
            }
        } catch (InvalidProtocolBufferException | RuntimeException e) {
            malformed.increment();
            if (malformed.count() == 1) {
                log.warn("A lease status of service {} is not to be understood: {}", service, e.getMessage());
            }
        }
    }

    private static ErrorStatuses read(io.redliner.contract.v1.ErrorStatuses errors) {
        return new ErrorStatuses(errors.getHttpList().stream()
                .map(range -> new ErrorStatuses.Range(range.getFirst(), range.getLast())).toList(),
                Set.copyOf(errors.getGrpcList()));
    }

    long malformed() {
        return (long) malformed.count();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc.MetricsServiceImplBase;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.redliner.redirector.dataplane.ProxyEventHandler;
import io.redliner.redirector.dataplane.ProxyTraffic;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.stream.Stream;

/**
 * Receives the proxies' statistics: which instances they send no requests to, how many requests they send to each service, and
 * how many listeners they failed to open.
 * Each proxy ejects and checks instances by itself, and shows the result only in its statistics. They arrive as OTLP metrics, all
 * of them in each report, because Envoy's own metrics service leaves out the statistics of single endpoints.
 */
final class ProxyMetricsReceiver extends MetricsServiceImplBase {

    /** A gauge of clusters with {@code per_endpoint_stats}: 1 while the endpoint gets requests, else 0. */
    private static final String HEALTHY = "cluster.endpoint.healthy";

    /** The requests of each cluster, a counter. */
    private static final String REQUESTS = "cluster.upstream_rq_total";

    /** How long a report counts. A proxy reports twice a second, to several redirectors in turn. */
    private static final Duration LIFE = Duration.ofSeconds(5);

    /** The listeners that the proxy failed to open, a counter. */
    private static final String LISTENERS_FAILED = "listener_manager.listener_create_failure";

    private static final String CLUSTER = "envoy.cluster_name";

    private static final String ENDPOINT = "envoy.endpoint_address";

    private static final Metadata.Key<String> NODE_HEADER = Metadata.Key.of("x-redliner-node",
            Metadata.ASCII_STRING_MARSHALLER);

    private static final Context.Key<String> NODE = Context.keyWithDefault("node", "");

    private record Ejected(String service, String address) {}

    private final ProxyEventHandler events;

    private final ProxyTraffic traffic;

    private final Function<String, Optional<String>> services;

    private final ObjLongConsumer<String> listenersFailed;

    private final InstantSource clock;

    private final Map<String, Ejections> byNode = new HashMap<>();

    private record Ejections(Set<Ejected> ejected, Instant at) {}

    /**
     * Creates a receiver of the proxies' reports.
     *
     * @param services from the name of a cluster in statistics to the name of its service
     * @param listenersFailed receives the node id of a proxy and how many listeners it failed to open since it started, if any
     */
    ProxyMetricsReceiver(ProxyEventHandler events, ProxyTraffic traffic, Function<String, Optional<String>> services,
            ObjLongConsumer<String> listenersFailed, InstantSource clock) {
        this.events = events;
        this.traffic = traffic;
        this.services = services;
        this.listenersFailed = listenersFailed;
        this.clock = clock;
    }

    /** Returns the gRPC service. It reads the proxy's node id from a header. */
    ServerServiceDefinition service() {
        return ServerInterceptors.intercept(this, new ServerInterceptor() {

            @Override
            public <Q, A> ServerCall.Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers,
                    ServerCallHandler<Q, A> next) {
                String node = headers.get(NODE_HEADER);
                Context named = Context.current().withValue(NODE, node == null ? "without a name" : node);
                return Contexts.interceptCall(named, call, headers, next);
            }
        });
    }

    @Override
    public void export(ExportMetricsServiceRequest report, StreamObserver<ExportMetricsServiceResponse> proxy) {
        take(NODE.get(), ejected(report));
        traffic.report(NODE.get(), requests(report));
        metrics(report, LISTENERS_FAILED).flatMap(metric -> metric.getSum().getDataPointsList().stream())
                .filter(point -> point.getAsInt() > 0)
                .forEach(point -> listenersFailed.accept(NODE.get(), point.getAsInt()));
        proxy.onNext(ExportMetricsServiceResponse.getDefaultInstance());
        proxy.onCompleted();
    }

    private Set<Ejected> ejected(ExportMetricsServiceRequest report) {
        Set<Ejected> ejected = new HashSet<>();
        metrics(report, HEALTHY).flatMap(metric -> metric.getGauge().getDataPointsList().stream())
                .filter(point -> point.getAsInt() == 0 && point.getAsDouble() == 0)
                .forEach(point -> services.apply(attribute(point, CLUSTER))
                        .ifPresent(service -> ejected.add(new Ejected(service, attribute(point, ENDPOINT)))));
        return ejected;
    }

    /** Returns the requests since the start of the proxy, by service and cluster. */
    private Map<String, Map<String, Long>> requests(ExportMetricsServiceRequest report) {
        Map<String, Map<String, Long>> totals = new HashMap<>();
        metrics(report, REQUESTS).flatMap(metric -> metric.getSum().getDataPointsList().stream()).forEach(point -> {
            String cluster = attribute(point, CLUSTER);
            services.apply(cluster).ifPresent(service -> totals
                    .computeIfAbsent(service, first -> new HashMap<>()).put(cluster, point.getAsInt()));
        });
        return totals;
    }

    private static Stream<Metric> metrics(ExportMetricsServiceRequest report, String name) {
        return report.getResourceMetricsList().stream()
                .flatMap(resource -> resource.getScopeMetricsList().stream())
                .flatMap(scope -> scope.getMetricsList().stream())
                .filter(metric -> metric.getName().equals(name));
    }

    private static String attribute(NumberDataPoint point, String name) {
        return point.getAttributesList().stream().filter(attribute -> attribute.getKey().equals(name))
                .map(attribute -> attribute.getValue().getStringValue()).findFirst().orElse("");
    }

    /**
     * Forgets proxies that have not reported for 5 s: they are gone, or report to another redirector. To be called every
     * second.
     */
    synchronized void age() {
        traffic.age();
        Instant oldest = clock.instant().minus(LIFE);
        byNode.entrySet().stream().filter(entry -> entry.getValue().at().isBefore(oldest)).map(Map.Entry::getKey)
                .toList().forEach(node -> take(node, Set.of()));
    }

    private synchronized void take(String node, Set<Ejected> now) {
        Ejections last = byNode.get(node);
        Set<Ejected> before = last == null ? Set.of() : last.ejected();
        now.stream().filter(ejected -> !before.contains(ejected))
                .forEach(ejected -> events.ejected(node, ejected.service(), ejected.address(), true));
        before.stream().filter(ejected -> !now.contains(ejected))
                .forEach(ejected -> events.ejected(node, ejected.service(), ejected.address(), false));
        if (now.isEmpty()) {
            byNode.remove(node);
        } else {
            byNode.put(node, new Ejections(Set.copyOf(now), clock.instant()));
        }
    }
}

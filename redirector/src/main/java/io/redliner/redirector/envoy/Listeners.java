// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.BoolValue;
import com.google.protobuf.Duration;
import io.envoyproxy.envoy.config.accesslog.v3.AccessLog;
import io.envoyproxy.envoy.config.accesslog.v3.AccessLogFilter;
import io.envoyproxy.envoy.config.accesslog.v3.HeaderFilter;
import io.envoyproxy.envoy.config.accesslog.v3.OrFilter;
import io.envoyproxy.envoy.config.accesslog.v3.RuntimeFilter;
import io.envoyproxy.envoy.config.core.v3.ApiVersion;
import io.envoyproxy.envoy.config.core.v3.GrpcService;
import io.envoyproxy.envoy.config.core.v3.Http1ProtocolOptions;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.HeaderMatcher;
import io.envoyproxy.envoy.extensions.access_loggers.grpc.v3.CommonGrpcAccessLogConfig;
import io.envoyproxy.envoy.extensions.access_loggers.grpc.v3.HttpGrpcAccessLogConfig;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.Rds;
import io.envoyproxy.envoy.type.v3.FractionalPercent;
import io.redliner.redirector.routing.Service;
import java.util.List;

/**
 * Builds the listener of a service. While the service is under test, the router logs each attempt of a request to the collector when
 * it starts and when it ends upstream, and the connection manager logs each request when it has ended downstream. While it is not, a
 * tenth of the downstream ends is logged.
 */
final class Listeners {

    /**
     * 20 ms. A window ends with the next request that is reported, so this is short, and long enough to send some requests
     * together.
     */
    private static final int FLUSH_NANOS = 20_000_000;

    /** The request header in which Envoy names the timeout. The collector waits that long for the end of the request. */
    private static final String TIMEOUT = "x-envoy-expected-rq-timeout-ms";

    /** Request headers, beside the answer's content type, by which the collector recognizes a long stream. */
    private static final List<String> STREAM_ROUTES = List.of("upgrade", "accept");

    /** Headers that name the trace of a request, see the collector's {@code AccessLogEntryDecoder}. */
    private static final List<String> TRACES = List.of("traceparent", "b3", "x-b3-traceid");

    private static final String CONTENT_TYPE = "content-type";

    private static final String GRPC_STATUS = "grpc-status";

    /** Chooses by the request, not by the runtime, so that both its start and its end are logged, or neither. */
    private static final AccessLogFilter TESTED = AccessLogFilter.newBuilder()
            .setHeaderFilter(HeaderFilter.newBuilder().setHeader(
                    HeaderMatcher.newBuilder().setName(ResourceNames.REQUEST_ID).setPresentMatch(true)))
            .build();

    /** Ends of requests of a service that is not under test, so that a run knows at once how fast its instances usually are. */
    private static final AccessLogFilter SAMPLED = AccessLogFilter.newBuilder()
            .setRuntimeFilter(RuntimeFilter.newBuilder().setRuntimeKey("redliner.access_log.sample")
                    .setPercentSampled(FractionalPercent.newBuilder().setNumerator(10))
                    .setUseIndependentRandomness(true))
            .build();

    private Listeners() {}

    static Listener listener(Service service, io.redliner.redirector.routing.HostPort listen) {
        return Listener.newBuilder()
                .setName(service.name())
                .setAddress(Clusters.address(listen))
                .addFilterChains(FilterChain.newBuilder()
                        .addFilters(Filter.newBuilder()
                                .setName("envoy.filters.network.http_connection_manager")
                                .setTypedConfig(Any.pack(connectionManager(service)))))
                .build();
    }

    private static HttpConnectionManager connectionManager(Service service) {
        return HttpConnectionManager.newBuilder()
                .setStatPrefix(service.name())
                .setRds(Rds.newBuilder()
                        .setConfigSource(Clusters.AGGREGATED)
                        .setRouteConfigName(service.name()))
                .setUseRemoteAddress(BoolValue.of(true))
                .setHttpProtocolOptions(Http1ProtocolOptions.newBuilder().setAcceptHttp10(true)
                        .setDefaultHostForHttp10(service.name()))
                .setGenerateRequestId(BoolValue.of(true))
                .addUpgradeConfigs(HttpConnectionManager.UpgradeConfig.newBuilder().setUpgradeType("websocket"))
                .addAccessLog(accessLog(service, AccessLogFilter.newBuilder()
                        .setOrFilter(OrFilter.newBuilder().addFilters(TESTED).addFilters(SAMPLED)).build(), TRACES))
                .addHttpFilters(HttpFilter.newBuilder()
                        .setName("envoy.filters.http.router")
                        .setTypedConfig(Any.pack(router(service))))
                .build();
    }

    private static Router router(Service service) {
        return Router.newBuilder()
                .addUpstreamLog(accessLog(service, TESTED, List.of()))
                .setUpstreamLogOptions(Router.UpstreamAccessLogOptions.newBuilder()
                        .setFlushUpstreamLogOnUpstreamStream(true))
                .build();
    }

    /** @param headers of requests that this log has and the others do not */
    private static AccessLog accessLog(Service service, AccessLogFilter filter, List<String> headers) {
        CommonGrpcAccessLogConfig common = CommonGrpcAccessLogConfig.newBuilder()
                .setLogName(service.name())
                .setGrpcService(GrpcService.newBuilder()
                        .setEnvoyGrpc(GrpcService.EnvoyGrpc.newBuilder()
                                .setClusterName(ResourceNames.COLLECTOR_CLUSTER)))
                .setTransportApiVersion(ApiVersion.V3)
                .setBufferFlushInterval(Duration.newBuilder().setNanos(FLUSH_NANOS))
                .build();
        return AccessLog.newBuilder()
                .setName("envoy.access_loggers.http_grpc")
                .setFilter(filter)
                .setTypedConfig(Any.pack(HttpGrpcAccessLogConfig.newBuilder().setCommonConfig(common)
                        .addAdditionalRequestHeadersToLog(ResourceNames.REQUEST_ID)
                        .addAdditionalRequestHeadersToLog(TIMEOUT)
                        .addAllAdditionalRequestHeadersToLog(STREAM_ROUTES)
                        .addAllAdditionalRequestHeadersToLog(headers)
                        .addAdditionalResponseHeadersToLog(CONTENT_TYPE)
                        .addAdditionalResponseHeadersToLog(GRPC_STATUS).addAdditionalResponseTrailersToLog(GRPC_STATUS)
                        .build()))
                .build();
    }
}

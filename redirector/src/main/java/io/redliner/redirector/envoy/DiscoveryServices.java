// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.envoyproxy.controlplane.cache.Resources.ApiVersion;
import io.envoyproxy.controlplane.server.DefaultExecutorGroup;
import io.envoyproxy.controlplane.server.V3DiscoveryServer;
import io.envoyproxy.controlplane.server.serializer.CachedProtoResourcesSerializer;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceImplBase;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.envoyproxy.envoy.service.runtime.v3.RuntimeDiscoveryServiceGrpc.RuntimeDiscoveryServiceImplBase;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.redliner.redirector.dataplane.ProxyEventHandler;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gRPC services that proxies call. Over aggregated discovery (ADS) a proxy gets everything from one redirector. Runtime
 * discovery (RTDS) serves proxies that get only shares from here.
 */
final class DiscoveryServices {

    private static final Logger LOGGER = LoggerFactory.getLogger(DiscoveryServices.class);

    private final XdsStreams streams;

    private final ProxyEventHandler events;

    DiscoveryServices(XdsStreams streams, ProxyEventHandler events) {
        this.streams = streams;
        this.events = events;
    }

    AggregatedDiscoveryServiceImplBase aggregated() {
        return new AggregatedDiscoveryServiceImplBase() {

            @Override
            public StreamObserver<DiscoveryRequest> streamAggregatedResources(
                    StreamObserver<DiscoveryResponse> proxy) {
                return stateOfTheWorld(proxy, "");
            }

            @Override
            public StreamObserver<DeltaDiscoveryRequest> deltaAggregatedResources(
                    StreamObserver<DeltaDiscoveryResponse> proxy) {
                return delta(proxy, "");
            }
        };
    }

    RuntimeDiscoveryServiceImplBase runtime() {
        return new RuntimeDiscoveryServiceImplBase() {

            @Override
            public StreamObserver<DiscoveryRequest> streamRuntime(StreamObserver<DiscoveryResponse> proxy) {
                return stateOfTheWorld(proxy, ResourceType.SHARE.url());
            }

            @Override
            public StreamObserver<DeltaDiscoveryRequest> deltaRuntime(StreamObserver<DeltaDiscoveryResponse> proxy) {
                return delta(proxy, ResourceType.SHARE.url());
            }
        };
    }

    private StreamObserver<DiscoveryRequest> stateOfTheWorld(StreamObserver<DiscoveryResponse> proxy, String type) {
        Nodes nodes = new Nodes();
        return new Requests<>(server().streamAggregatedResources(proxy), type, DiscoveryRequest::getTypeUrl,
                (request, typeUrl) -> request.toBuilder().setTypeUrl(typeUrl)
                        .setNode(nodes.of(request.hasNode(), request.getNode())).build());
    }

    private StreamObserver<DeltaDiscoveryRequest> delta(StreamObserver<DeltaDiscoveryResponse> proxy,
            String type) {
        Nodes nodes = new Nodes();
        return new Requests<>(server().deltaAggregatedResources(proxy), type, DeltaDiscoveryRequest::getTypeUrl,
                (request, typeUrl) -> request.toBuilder().setTypeUrl(typeUrl)
                        .setNode(nodes.of(request.hasNode(), request.getNode())).build());
    }

    /** Creates a server for one stream, so that its callbacks belong to the stream. */
    private AggregatedDiscoveryServiceImplBase server() {
        return new LayeredDiscoveryServer(streams.open(events)).getAggregatedDiscoveryServiceImpl();
    }

    /** Passes a proxy's requests to the library. */
    private static final class Requests<T> implements StreamObserver<T> {

        private final StreamObserver<T> stream;

        private final String defaultType;

        private final Function<T, String> type;

        private final BiFunction<T, String, T> within;

        private boolean over;

        /**
         * @param stream the library's side of the stream
         * @param defaultType type of requests that name none
         * @param type reads the type of a request
         * @param within sets the library's type in a request, and the node of the proxy's first request
         */
        Requests(StreamObserver<T> stream, String defaultType, Function<T, String> type,
                BiFunction<T, String, T> within) {
            this.stream = stream;
            this.defaultType = defaultType;
            this.type = type;
            this.within = within;
        }

        @Override
        public void onNext(T request) {
            if (over) {
                return;
            }
            String named = type.apply(request).isEmpty() ? defaultType : type.apply(request);
            if (named.isEmpty()) {
                onError(Status.INVALID_ARGUMENT.withDescription("a request without a type").asRuntimeException());
                return;
            }
            Optional<ResourceType> known = ResourceType.ofUrl(named);
            try {
                // The node is kept also from requests of a type that is not served here.
                T next = within.apply(request, known.map(ResourceType::libraryUrl).orElse(named));
                if (known.isPresent()) {
                    stream.onNext(next);
                }
            } catch (RuntimeException broken) {
                LOGGER.warn("a proxy's request cannot be dealt with; its stream ends", broken);
                onError(Status.INTERNAL.withDescription(broken.toString()).withCause(broken).asRuntimeException());
            }
        }

        @Override
        public void onError(Throwable broken) {
            over = true;
            stream.onError(broken);
        }

        @Override
        public void onCompleted() {
            over = true;
            stream.onCompleted();
        }
    }

    /**
     * The library's server for one stream, extended by the runtime layer, for which the library has no type. Within the library a
     * layer has another type, see {@link ResourceType}.
     */
    private static final class LayeredDiscoveryServer extends V3DiscoveryServer {

        /**
         * Caches serialized resources, which are the same for each proxy of a group, but not runtime layers, which live for a
         * second.
         */
        private static final class Serializer extends CachedProtoResourcesSerializer {

            @Override
            public Any serialize(Message resource, ApiVersion version) {
                return resource instanceof Resource ? Any.pack(resource) : super.serialize(resource, version);
            }
        }

        private static final Serializer SERIALIZER = new Serializer();

        LayeredDiscoveryServer(XdsStream stream) {
            super(List.of(stream), stream, new DefaultExecutorGroup(), SERIALIZER);
        }

        @Override
        protected DiscoveryResponse makeResponse(String version, Collection<Any> resources, String typeUrl,
                String nonce) {
            return super.makeResponse(version, resources, ResourceType.ofLibraryUrl(typeUrl).url(), nonce);
        }

        @Override
        public DeltaDiscoveryResponse makeDeltaResponse(String typeUrl, String version, String nonce,
                List<Resource> resources, List<String> removedResources) {
            return super.makeDeltaResponse(ResourceType.ofLibraryUrl(typeUrl).url(), version, nonce, resources,
                    removedResources);
        }

        /** Leaves a layer as it is, because it carries its own time to live. */
        @Override
        protected Resource makeResource(String name, String version, Any resource) {
            try {
                return resource.is(Resource.class)
                        ? resource.unpack(Resource.class)
                        : super.makeResource(name, version, resource);
            } catch (InvalidProtocolBufferException impossible) {
                throw new IllegalStateException("what was packed just now", impossible);
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.envoyproxy.controlplane.cache.Resources.ApiVersion;
import io.envoyproxy.controlplane.server.DefaultExecutorGroup;
import io.envoyproxy.controlplane.server.V3DiscoveryServer;
import io.envoyproxy.controlplane.server.serializer.CachedProtoResourcesSerializer;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import java.util.Collection;
import java.util.List;

/**
 * The library's server for one stream, extended by the runtime layer, for which the library has no type. Within the library a
 * layer has another type, see {@link ResourceType}.
 */
final class LayeredDiscoveryServer extends V3DiscoveryServer {

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
    protected DiscoveryResponse makeResponse(String version, Collection<Any> resources, String typeUrl, String nonce) {
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

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
 * The library's server for one stream, and beside the types that it knows the runtime layer, for which it has no type. Within
 * the library a layer goes by another type, see {@link ResourceType}.
 */
final class LayeredDiscoveryServer extends V3DiscoveryServer {

    /** Each proxy of a group gets the same resources; a layer lives for a second. */
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

    /** A layer has its time to live with it. */
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

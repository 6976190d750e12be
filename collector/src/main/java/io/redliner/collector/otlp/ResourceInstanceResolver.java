// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.InstanceId;
import io.redliner.contract.address.InstanceAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Resolves the instance of a message, by the attributes of the resource, or by the sender's address. */
final class ResourceInstanceResolver {

    /** The attribute that a sender can be configured with. No other one is certain to be the address that proxies know. */
    static final String INSTANCE = "redliner.instance";

    private static final Pattern ADDRESS = Pattern
            .compile("(\\[[0-9A-Fa-f:.]{2,45}]|[A-Za-z0-9._-]{1,253}):[0-9]{1,5}");

    private static final Pattern NUMERIC = Pattern.compile("[0-9.]{7,15}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    private final Supplier<List<Target>> targets;

    /** @param targets all instances that are known */
    ResourceInstanceResolver(Supplier<List<Target>> targets) {
        this.targets = targets;
    }

    /**
     * Returns the instance of a resource.
     *
     * @param from the sender's address
     * @return empty when it is not known
     */
    Optional<InstanceId> instanceId(List<KeyValue> resource, Optional<InetAddress> from) {
        String service = OtlpAttributes.value(resource, "service.name");
        if (service.isEmpty()) {
            return Optional.empty();
        }
        for (String attribute : List.of(INSTANCE, "service.instance.id")) {
            String instance = OtlpAttributes.value(resource, attribute);
            if (ADDRESS.matcher(instance).matches()) {
                return Optional.of(new InstanceId(service, InstanceAddress.canonical(instance)));
            }
        }
        List<InstanceId> there = from.stream().flatMap(address -> targets.get().stream()
                .filter(target -> target.instanceId().service().equals(service) && isAt(target, address))
                .map(Target::instanceId)).toList();
        return there.size() == 1 ? Optional.of(there.getFirst()) : Optional.empty();
    }

    private static boolean isAt(Target target, InetAddress address) {
        String instance = target.instanceId().instance();
        String host = instance.substring(0, instance.lastIndexOf(':')).replace("[", "").replace("]", "");
        try {
            // Only numeric addresses are parsed, so no name is looked up.
            return NUMERIC.matcher(host).matches() && InetAddress.getByName(host).equals(address);
        } catch (UnknownHostException e) {
            return false;
        }
    }
}

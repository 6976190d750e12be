// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.linux.InstanceSocket;
import io.redliner.collector.windowing.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All known instances: those of the settings, and those that redirectors list. The settings of an instance take precedence over a
 * redirector's list. Safe for use by several threads.
 */
public final class InstanceRegistry {

    /**
     * Time for which a list is kept. A redirector that no longer lists a service has lost it or has stopped, but Kafka may also
     * have been unavailable.
     */
    private static final Duration KEPT = Duration.ofMinutes(5);

    private static final Duration REMOVAL_INTERVAL = Duration.ofSeconds(1);

    /** Maximum number of pairs of redirector and service that are kept. It is bounded because the names come from outside. */
    private static final int MAX_LISTS = 10_000;

    /** Characters of a machine's name. Longer ones are ignored. */
    private static final int MAX_HOST = 253;

    private final List<Target> configured;

    private final Map<Source, Listing> lists = new HashMap<>();

    /** Names of machines by service and address, so that a window costs one look-up; empty where redirectors differ. */
    private final Map<String, Map<String, String>> hosts = new HashMap<>();

    private Instant nextRemoval = Instant.MIN;

    private @Nullable List<Target> known;

    /** @param configured those of the settings */
    public InstanceRegistry(List<Target> configured) {
        this.configured = List.copyOf(configured);
    }

    private record Source(String redirector, String service) {}

    private record Listing(Map<String, String> hosts, Instant at) {}

    /** Returns the instances of the settings. */
    public List<Target> configured() {
        return configured;
    }

    /**
     * Updates a redirector's list of all instances of a service.
     *
     * @param listed names of the machines that the instances run on, by host:port; an empty one is not known, and other addresses are
     *        left out
     */
    public synchronized void list(String redirector, String service, Map<String, String> listed, Instant now) {
        Source source = new Source(redirector, service);
        if (lists.size() < MAX_LISTS || lists.containsKey(source)) {
            Map<String, String> present = Collections.unmodifiableMap(new LinkedHashMap<>(listed));
            Listing before = lists.put(source, new Listing(present, now));
            if (before == null || !before.hosts.keySet().equals(present.keySet())) {
                known = null;
            }
            if (before == null || !before.hosts.equals(present)) {
                updateHosts(service);
            }
        }
    }

    private void updateHosts(String service) {
        Map<String, String> ofService = new HashMap<>();
        lists.forEach((source, listing) -> {
            if (source.service.equals(service)) {
                listing.hosts.forEach((address, host) -> {
                    if (!host.isEmpty() && host.length() <= MAX_HOST) {
                        ofService.merge(address, host, (one, other) -> one.equals(other) ? one : "");
                    }
                });
            }
        });
        if (ofService.isEmpty()) {
            hosts.remove(service);
        } else {
            hosts.put(service, ofService);
        }
    }

    /**
     * Returns the name that redirectors have for the machine of an instance; empty when none knows it, and while they differ: an
     * old name beside a new one would join two machines.
     */
    synchronized Optional<String> host(InstanceId instanceId, Instant now) {
        if (!now.isBefore(nextRemoval)) {
            removeOld(now);
        }
        return Optional.ofNullable(hosts.getOrDefault(instanceId.service(), Map.of()).get(instanceId.instance()))
                .filter(host -> !host.isEmpty());
    }

    /** Returns all instances: the same list until something has changed. */
    public synchronized List<Target> known(Instant now) {
        removeOld(now);
        List<Target> present = known;
        if (present == null) {
            Map<InstanceId, Target> all = new LinkedHashMap<>();
            configured.forEach(target -> all.put(target.instanceId(), target));
            lists.forEach((source, listing) -> listing.hosts.keySet().forEach(address -> InstanceSocket.of(address)
                    .ifPresent(socket -> {
                        InstanceId instanceId = new InstanceId(source.service, address);
                        all.putIfAbsent(instanceId, Target.listed(instanceId, socket.port()));
                    })));
            present = List.copyOf(all.values());
            known = present;
        }
        return present;
    }

    private void removeOld(Instant now) {
        nextRemoval = now.plus(REMOVAL_INTERVAL);
        Set<Source> old = lists.entrySet().stream().filter(list -> list.getValue().at.isBefore(now.minus(KEPT)))
                .map(Map.Entry::getKey).collect(Collectors.toSet());
        if (lists.keySet().removeAll(old)) {
            known = null;
            old.stream().map(Source::service).distinct().forEach(this::updateHosts);
        }
    }
}

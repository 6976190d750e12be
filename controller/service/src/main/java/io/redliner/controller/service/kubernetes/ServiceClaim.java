// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A RedlinerService: its namespace may test a service.
 *
 * @param service name of the service, as redirectors report it
 * @param created when the object was created
 * @param conditions of its status
 */
record ServiceClaim(String namespace, String name, String service, Instant created, long generation,
        List<Condition> conditions) {

    static final String ACCEPTED = "Accepted";

    private static final String CONFLICT = "Conflict";

    private static final String HELD_BY = " is held by an older RedlinerService, ";

    /**
     * Returns the claim that holds for each service: the oldest. Of a service that no claim holds yet, the answer is not known while
     * some namespaces cannot be read. No claim takes a service from a namespace that cannot be read.
     *
     * @param complete true when the claims of all namespaces were read, but for those without rights
     * @param unread the namespaces that cannot be read
     */
    static Map<String, ServiceClaim> holders(List<ServiceClaim> claims, boolean complete, Set<String> unread) {
        Set<String> kept = claims.stream().filter(claim -> claim.holder().filter(unread::contains).isPresent())
                .map(ServiceClaim::service).collect(Collectors.toSet());
        Comparator<ServiceClaim> oldest = Comparator.comparing(ServiceClaim::created)
                .thenComparing(ServiceClaim::namespace).thenComparing(ServiceClaim::name);
        return claims.stream().filter(claim -> claim.accepted() || (complete && !kept.contains(claim.service())))
                .collect(Collectors.toMap(ServiceClaim::service, Function.identity(),
                        (one, other) -> oldest.compare(one, other) <= 0 ? one : other));
    }

    /** Returns the namespace that the service was refused for. */
    private Optional<String> holder() {
        return Condition.find(conditions, ACCEPTED)
                .filter(condition -> condition.reason().equals(CONFLICT)
                        && condition.observedGeneration() == generation)
                .map(Condition::message).filter(message -> message.contains(HELD_BY))
                .map(message -> message.substring(message.lastIndexOf(HELD_BY) + HELD_BY.length()).split("/", 2)[0]);
    }

    private boolean accepted() {
        return Condition.find(conditions, ACCEPTED)
                .filter(condition -> condition.status().equals(Condition.TRUE)
                        && condition.observedGeneration() == generation)
                .isPresent();
    }

    /**
     * Returns the conditions after a look at all claims.
     *
     * @param unread the namespaces that cannot be read
     * @param instances how many instances redirectors report of the service; 0 when it is not known
     */
    List<Condition> judged(Map<String, ServiceClaim> holders, Set<String> unread, int instances, Instant now) {
        ServiceClaim holder = holders.get(service);
        boolean unchanged = holder == null && holder().filter(unread::contains).isPresent();
        List<Condition> judged = unchanged
                ? conditions
                : Condition.replace(conditions, holder == null
                        ? new Condition(ACCEPTED, Condition.UNKNOWN, "NotAllRead",
                                "the RedlinerServices of other namespaces could not be read, and one of them may hold service "
                                        + service,
                                now, generation)
                        : holder.namespace().equals(namespace)
                                ? new Condition(ACCEPTED, Condition.TRUE, "Accepted",
                                        "CapacityTests of namespace " + namespace + " may test service " + service, now,
                                        generation)
                                : new Condition(ACCEPTED, Condition.FALSE, CONFLICT, "service " + service
                                        + HELD_BY + holder.namespace() + "/" + holder.name(),
                                        now, generation));
        return Condition.replace(judged, instances > 0
                ? new Condition("Known", Condition.TRUE, "Reported", "a redirector reports " + instances + " instances",
                        now, generation)
                : new Condition("Known", Condition.UNKNOWN, "NotReported", "no redirector reports service " + service
                        + ": add it to the services file of the redirectors",
                        now, generation));
    }
}

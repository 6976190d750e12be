// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whose lease statuses count. A sender is believed when it is one of the first that report a service, when no believed
 * one is alive, or when collectors see its proxies. Any other sender claims to be a redirector of the service, and changes
 * nothing. A believed sender that proves who it is cannot be replaced by another under its name while it is alive. For one
 * thread.
 */
public final class StatusSenders {

    /** Statuses of longer names are not read. */
    public static final int MAX_NAME_LENGTH = 300;

    /** The most services that are known. Statuses of further services are ignored. */
    public static final int MAX_SERVICES = 10_000;

    /** The most services that are first reported after the beginning and whose proxies no collector has seen. */
    public static final int MAX_LATE_SERVICES = 200;

    /** The most senders of a service. Statuses of further senders are ignored while these are alive. */
    public static final int MAX_SENDERS = 20;

    /** Time from the first report of a service in which all its senders are believed. */
    static final Duration OPENING = Duration.ofSeconds(10);

    /** Time from the first status of all in which a service that is first reported is not late. */
    static final Duration BEGINNING = Duration.ofMinutes(1);

    /** Time without a report after which a late service is forgotten. */
    static final Duration LATE_SERVICE_TTL = Duration.ofMinutes(1);

    /** Time without any status after which the topic was not read, because each sender reports every second. */
    private static final Duration READING_GAP = Duration.ofSeconds(2);

    /** After a longer time without reading it begins anew. */
    private static final Duration MAX_READING_GAP = Duration.ofMinutes(2);

    /** The most statuses of a sender that may be lost between two. The check of a proof costs one hash for each. */
    private static final long MAX_LOST = 64;

    private static final long MAX_LOST_PER_SECOND = 20;

    /** Proxies go to another redirector when theirs ends, and a run goes on when that one counts before the silence limit. */
    private static final Duration MAX_TAKEOVER_SILENCE = Duration.ofSeconds(3);

    private final Map<String, Service> services = new HashMap<>();

    private final Duration silenceLimit;

    private @Nullable Instant begunAt;

    private Instant readAt = Instant.MIN;

    private Instant resumedAt = Instant.MIN;

    /** @param silenceLimit how long after its last status a sender keeps its name */
    public StatusSenders(Duration silenceLimit) {
        this.silenceLimit = silenceLimit;
    }

    /** The worth of a status. */
    public enum Standing {
        /** It counts. */
        BELIEVED,
        /** Its sender claims to be a redirector of the service: it is shown, and changes nothing. */
        CLAIMED,
        /**
         * It was read before, or has the proof of one that was; or the sender that has used the name so far is late, and may
         * have been started again.
         */
        IGNORED,
        /** Its sender is not the one that has used the name so far. */
        IMPOSTOR,
        /** There is no room for it, or a name is too long. */
        TOO_MANY
    }

    private static final class Service {

        private final Map<String, Sender> senders = new HashMap<>();

        private Instant openUntil = Instant.MIN;

        private boolean late;
    }

    private record Sender(Instant at, boolean believed, @Nullable SenderProof proof) {}

    /**
     * Notes a status and judges its sender.
     *
     * @param confirmedByCollector true when a collector reports a proxy that only this sender reports as connected
     */
    public Standing judge(String service, String sender, @Nullable SenderProof proof, boolean confirmedByCollector,
            Instant now) {
        if (service.length() > MAX_NAME_LENGTH || sender.length() > MAX_NAME_LENGTH) {
            return Standing.TOO_MANY;
        }
        if (begunAt == null) {
            begunAt = now;
        }
        if (now.isAfter(readAt.plus(READING_GAP))) {
            resumedAt = now;
        }
        readAt = now;
        Service known = services.get(service);
        if (known == null) {
            known = admitted(service, now);
        }
        return known == null ? Standing.TOO_MANY : judge(known, sender, proof, confirmedByCollector, now);
    }

    private Standing judge(Service service, String name, @Nullable SenderProof proof, boolean confirmedByCollector,
            Instant now) {
        Sender before = service.senders.get(name);
        if (before != null && !continues(before, proof, now)) {
            if (alive(before, now, silenceLimit)) {
                boolean late = now.isAfter(before.at().plus(READING_GAP));
                return late || repeats(before, proof) ? Standing.IGNORED : Standing.IMPOSTOR;
            }
            before = null;
        }
        if (before == null && !makeRoom(service, name, confirmedByCollector, now)) {
            return Standing.TOO_MANY;
        }
        if (service.senders.values().stream()
                .noneMatch(sender -> sender.believed() && alive(sender, now, MAX_TAKEOVER_SILENCE))) {
            service.openUntil = now.plus(OPENING);
        }
        boolean believed = confirmedByCollector || (before != null && before.believed())
                || !now.isAfter(service.openUntil);
        service.late &= !confirmedByCollector;
        service.senders.put(name, new Sender(now, believed, proof));
        return believed ? Standing.BELIEVED : Standing.CLAIMED;
    }

    /** A sender without proofs is known by its name alone. */
    private static boolean continues(Sender before, @Nullable SenderProof proof, Instant now) {
        long lost = MAX_LOST + MAX_LOST_PER_SECOND * Duration.between(before.at(), now).toSeconds();
        return before.proof() == null ? proof == null : proof != null && proof.follows(before.proof(), lost);
    }

    private static boolean repeats(Sender before, @Nullable SenderProof proof) {
        return before.proof() != null && proof != null
                && (before.proof().equals(proof) || before.proof().follows(proof, SenderProof.CHAIN_LENGTH));
    }

    private @Nullable Service admitted(String name, Instant now) {
        boolean late = begunAt != null && now.isAfter(begunAt.plus(BEGINNING));
        if (late && lateServices() >= MAX_LATE_SERVICES) {
            services.values().removeIf(service -> service.late && lastAt(service).plus(LATE_SERVICE_TTL).isBefore(now));
        }
        if (services.size() >= MAX_SERVICES || (late && lateServices() >= MAX_LATE_SERVICES)) {
            return null;
        }
        Service service = new Service();
        service.late = late;
        services.put(name, service);
        return service;
    }

    private long lateServices() {
        return services.values().stream().filter(service -> service.late).count();
    }

    private static Instant lastAt(Service service) {
        return service.senders.values().stream().map(Sender::at).max(Comparator.naturalOrder()).orElse(Instant.MIN);
    }

    /** Makes room for a sender. One that a collector confirms replaces those that none confirms. */
    private boolean makeRoom(Service service, String name, boolean confirmedByCollector, Instant now) {
        if (service.senders.size() >= MAX_SENDERS && !service.senders.containsKey(name)) {
            service.senders.values()
                    .removeIf(sender -> !alive(sender, now, silenceLimit)
                            || (confirmedByCollector && !sender.believed()));
        }
        return service.senders.size() < MAX_SENDERS || service.senders.containsKey(name);
    }

    /** Returns whether it may be alive: statuses that it wrote before reading went on may not have been read. */
    private boolean alive(Sender sender, Instant now, Duration limit) {
        boolean unread = resumedAt.isAfter(sender.at()) && !resumedAt.isAfter(sender.at().plus(MAX_READING_GAP));
        return !now.isAfter((unread ? resumedAt : sender.at()).plus(limit));
    }

    /** Returns how many services have a place. */
    public int size() {
        return services.size();
    }

    /** Returns whether the service has a place. */
    public boolean knows(String service) {
        return services.containsKey(service);
    }

    /** Returns whether the service was there at the beginning, or a collector has seen its proxies. */
    public boolean confirmed(String service) {
        return Optional.ofNullable(services.get(service)).filter(known -> !known.late).isPresent();
    }

    /** Forgets a service. */
    public void forget(String service) {
        services.remove(service);
    }
}

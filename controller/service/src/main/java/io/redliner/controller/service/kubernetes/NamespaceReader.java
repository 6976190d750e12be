// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads the objects of namespaces. A namespace that cannot be read keeps the claims that it had, and one that is refused for
 * {@link #LOST_AFTER} counts as empty. One thread at a time.
 */
final class NamespaceReader {

    /** All namespaces at once. */
    static final String ALL = "";

    /** The code of a request that the API server did not answer. */
    static final int NO_ANSWER = 0;

    /** How long a namespace may be refused until its objects count as gone. */
    static final Duration LOST_AFTER = Duration.ofMinutes(5);

    /** A look that took longer ago than this says nothing of now: another controller looked in between. */
    private final Duration memory;

    private final Map<String, Read> reads = new HashMap<>();

    private final Map<String, Refused> refusals = new HashMap<>();

    /** @param interval from one look to the next */
    NamespaceReader(Duration interval) {
        memory = LOST_AFTER.plus(interval.multipliedBy(2));
    }

    /** The objects of one namespace. */
    record Contents(List<ServiceClaim> claims, List<CapacityTest> tests) {}

    private record Read(List<ServiceClaim> claims, Instant at) {}

    private record Refused(Instant first, Instant last) {}

    /**
     * The objects of all namespaces.
     *
     * @param claims as they were read
     * @param kept claims of unread namespaces, as they were when they were last read
     * @param unread the namespaces whose objects are not known
     * @param complete true when each unread namespace refused
     */
    record Picture(List<ServiceClaim> claims, List<ServiceClaim> kept, List<CapacityTest> tests, Set<String> unread,
            boolean complete) {}

    /**
     * Reads namespaces. When the API server does not answer for one, the others are not asked.
     *
     * @param source reads one namespace
     * @param problems gets what could not be read
     */
    Picture read(List<String> namespaces, Function<String, Contents> source, Map<String, String> problems,
            Instant now) {
        List<ServiceClaim> claims = new ArrayList<>();
        List<ServiceClaim> kept = new ArrayList<>();
        List<CapacityTest> tests = new ArrayList<>();
        Set<String> unread = new HashSet<>();
        boolean complete = true;
        boolean away = false;
        for (String namespace : namespaces) {
            String subject = namespace.equals(ALL) ? "*" : namespace;
            boolean refused = false;
            try {
                if (away) {
                    throw new IllegalStateException("the API server did not answer for another namespace");
                }
                Contents contents = source.apply(namespace);
                claims.addAll(contents.claims());
                tests.addAll(contents.tests());
                reads.put(namespace, new Read(contents.claims(), now));
                refusals.remove(namespace);
                continue;
            } catch (KubernetesClientException failure) {
                refused = failure.getCode() == HttpURLConnection.HTTP_FORBIDDEN;
                away = failure.getCode() == NO_ANSWER;
                problems.put(subject, words(failure));
            } catch (RuntimeException failure) {
                problems.put(subject, "could not be read, and is tried again: " + failure.getMessage());
            }
            if (!refused || !lost(namespace, now)) {
                unread.add(namespace);
                complete &= refused;
                Read before = reads.get(namespace);
                if (before != null && now.isBefore(before.at().plus(memory))) {
                    kept.addAll(before.claims());
                }
            }
        }
        return new Picture(claims, kept, tests, unread, complete);
    }

    private boolean lost(String namespace, Instant now) {
        Refused before = refusals.get(namespace);
        Instant first = before == null || before.last().plus(memory).isBefore(now) ? now : before.first();
        refusals.put(namespace, new Refused(first, now));
        return !now.isBefore(first.plus(LOST_AFTER));
    }

    /** Returns what the API server's refusal means, and what to do. */
    static String words(KubernetesClientException refused) {
        String message = refused.getStatus() == null
                ? String.valueOf(refused.getMessage()).lines().findFirst().orElse("")
                : refused.getStatus().getMessage();
        return switch (refused.getCode()) {
            case HttpURLConnection.HTTP_NOT_FOUND ->
                "there is no such object or no such kind: install the CustomResourceDefinitions of the chart ("
                        + message
                        + ")";
            case HttpURLConnection.HTTP_FORBIDDEN, HttpURLConnection.HTTP_UNAUTHORIZED ->
                "the controller's service account may not do this: give it the ClusterRole of the chart (" + message
                        + ")";
            default -> "the API server cannot be asked, and is tried again: " + message;
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether the proxies do what they were told. */
public sealed interface Proof {

    /** There is nobody who could do it. */
    record Unattended() implements Proof {}

    /**
     * Not every proxy has answered yet.
     *
     * @param waitingFor who has not, for people
     * @param deadline when the first of them counts as silent; empty while it is only streams that are to come
     */
    record Pending(List<String> waitingFor, Optional<Instant> deadline) implements Proof {}

    /** In force in every connected proxy, and there is at least one. */
    record Proven() implements Proof {}

    /**
     * One will not do it, or does not answer.
     *
     * @param reason names the proxy and quotes what it said
     */
    record Broken(String node, String reason) implements Proof {}

    /**
     * Judges the proxies' answers.
     *
     * @param wanted the version of each resource that is to be in force
     * @param since when it was sent
     * @param proxies that carry the service
     * @param patience how long a proxy may take to answer
     */
    static Proof judge(Map<ResourceKey, String> wanted, Instant since, List<Proxy> proxies, Duration patience,
            Instant now) {
        if (proxies.isEmpty()) {
            return new Unattended();
        }
        for (Proxy proxy : proxies) {
            Optional<String> refusal = proxy.refusalOf(wanted);
            if (refusal.isPresent()) {
                return new Broken(proxy.node(), "proxy " + proxy.node() + " refused: " + refusal.get());
            }
        }
        List<Proxy> waiting = proxies.stream()
                .filter(proxy -> proxy.incomplete() || proxy.owesAny(wanted))
                .toList();
        if (waiting.isEmpty()) {
            return new Proven();
        }
        Optional<Instant> first = Optional.empty();
        for (Proxy proxy : waiting.stream().filter(known -> known.owesAny(wanted)).toList()) {
            Instant deadline = later(since, proxy.answerableFrom()).plus(patience);
            if (!deadline.isAfter(now)) {
                return silent(proxy, wanted, patience);
            }
            first = first.filter(deadline::isAfter).or(() -> Optional.of(deadline));
        }
        return new Pending(waiting.stream().map(Proof::waitingFor).toList(), first);
    }

    private static String waitingFor(Proxy proxy) {
        return proxy.incomplete() ? proxy.node() + " to ask for its shares" : proxy.node();
    }

    private static Proof silent(Proxy proxy, Map<ResourceKey, String> wanted, Duration patience) {
        return new Broken(proxy.node(), "proxy " + proxy.node() + " did not acknowledge "
                + proxy.owing(wanted).getFirst() + " within " + patience.toMillis() + " ms"
                + proxy.lastRefusal().map(words -> "; its last refusal: " + words).orElse(""));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.contract.redirect.RedirectMode;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Receives the events of proxies. Called from any thread, in order for each stream. */
public interface ProxyEventHandler {

    /** The identity of one kind of subscription on one stream of a proxy. */
    record StreamId(StreamKind streamKind, long number) {}

    /**
     * A proxy opened a stream and named its node.
     *
     * @param group of proxies that it belongs to: it carries the services of this group
     */
    void opened(StreamId stream, String node, String group, ProxySoftware software);

    /** The stream is closed. */
    void closed(StreamId stream);

    /** Requests to these services, and to no others, pass through the proxy, or would if it accepted what it refuses. */
    void carries(StreamId stream, Set<String> services);

    /**
     * The proxy acknowledged these versions.
     *
     * @param type of the resources
     * @param versions all resources of the type that the proxy has now; a share that is not among them is natural
     */
    void acknowledged(StreamId stream, String type, Map<ResourceKey, String> versions);

    /** The proxy refused a response and keeps the resources it had. */
    void refused(StreamId stream, String type, Refusal refusal);

    /**
     * The proxy ejected an instance, so the instance gets no requests from it; or the proxy sends it requests again.
     *
     * @param address {@code host:port}
     */
    void ejected(String node, String service, String address, boolean out);

    /**
     * A response that a proxy refused.
     *
     * @param refused the versions in that response
     * @param error the proxy's error message
     * @param inDoubt whether the proxy may have dropped resources of this type after it acknowledged them
     */
    record Refusal(Map<ResourceKey, String> refused, String error, boolean inDoubt) {

        public Refusal(Map<ResourceKey, String> refused, String error) {
            this(refused, error, false);
        }

        /**
         * Returns whether the error message names this resource, or no refused one: a proxy refuses a whole response for one
         * resource. {@code name:}, as in front of a reason, is a surer name than a word that may be one of the sentence.
         */
        boolean names(ResourceKey key) {
            return Stream.of(":(?=\\s)", "(?![\\w./-])")
                    .filter(end -> refused.keySet().stream().anyMatch(other -> mentions(other, end)))
                    .findFirst().map(end -> mentions(key, end)).orElse(true);
        }

        private boolean mentions(ResourceKey key, String end) {
            return Pattern.compile("(?<![\\w./-])" + Pattern.quote(key.name()) + end).matcher(error).find();
        }
    }

    /**
     * The software of a proxy.
     *
     * @param name with its version, for people
     * @param modes that it supports; it would acknowledge any other one, and route otherwise
     */
    record ProxySoftware(String name, Set<RedirectMode> modes) {

        public ProxySoftware {
            modes = Set.copyOf(modes);
        }
    }
}

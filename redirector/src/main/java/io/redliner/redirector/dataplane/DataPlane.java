// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.routing.Service;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What moves the traffic: the proxies. Nothing leaves before {@link #send}. What they acknowledge, they tell a
 * {@link ProxyEventHandler}; what can be had for a service, and where its dead man's switch is, say its
 * {@link io.redliner.redirector.routing.Capabilities}.
 */
public interface DataPlane {

    /**
     * Sends the routings to every proxy of the service, connected now or later. What has not changed is not sent again. A
     * share goes only to streams that were admitted to it. A share whose expiry moved is renewed.
     *
     * @param routings new ones; services that are not among them stay as they are
     * @return by service name, the version of each resource that has to be acknowledged; versions are made from content,
     *         so the same routing has the same versions in every process
     * @throws RuntimeException when one of them cannot be expressed; then none of them was taken
     */
    Map<String, Map<ResourceKey, String>> apply(List<DesiredRouting> routings);

    /** The service is no more. */
    void withdraw(Service service);

    /** Groups of proxies that get nothing for now: what is right for them is not known. */
    void suspend(Set<String> groups);

    /** The proxy has everything that the service's share needs, and may get it. */
    void admit(StreamId shares, String service);

    /** Lets everything out, and answers streams that wait for a first word. */
    void send();
}

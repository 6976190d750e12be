// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import io.redliner.embedded.TemporaryFolder;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/**
 * Instances like those of Spring Boot: each is an embedded Tomcat with its defaults, which answers 400 when the Host header is no
 * host name. An instance answers every request with its own address, also on {@code /health}.
 */
public final class TomcatFleet implements AutoCloseable {

    private final List<Tomcat> servers = new ArrayList<>();

    private final Set<String> sick = ConcurrentHashMap.newKeySet();

    private final Map<String, Integer> requests = new ConcurrentHashMap<>();

    private final Set<String> checkedAs = ConcurrentHashMap.newKeySet();

    /** Starts instances on free ports of the loopback interface. */
    public TomcatFleet(int size) {
        for (int i = 0; i < size; i++) {
            servers.add(start());
        }
    }

    private Tomcat start() {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(TemporaryFolder.create("tomcat").toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getEngine().setName("instance-" + servers.size());
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "answer", new Answer(tomcat));
        context.addServletMappingDecoded("/*", "answer");
        try {
            tomcat.start();
        } catch (LifecycleException impossible) {
            throw new IllegalStateException(impossible);
        }
        return tomcat;
    }

    private static String address(Tomcat tomcat) {
        return "127.0.0.1:" + tomcat.getConnector().getLocalPort();
    }

    private final class Answer extends HttpServlet {

        private static final long serialVersionUID = 1;

        @SuppressWarnings("serial") // No session is kept.
        private final Tomcat tomcat;

        Answer(Tomcat tomcat) {
            this.tomcat = tomcat;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String self = address(tomcat);
            if (request.getRequestURI().equals("/health")) {
                checkedAs.add(request.getHeader("host"));
            } else {
                requests.merge(self, 1, Integer::sum);
            }
            response.setStatus(sick.contains(self)
                    ? HttpServletResponse.SC_SERVICE_UNAVAILABLE
                    : HttpServletResponse.SC_OK);
            response.setContentLength(self.length());
            response.getWriter().print(self);
        }
    }

    /** Returns the addresses as {@code host:port}. */
    public List<String> addresses() {
        return servers.stream().map(TomcatFleet::address).toList();
    }

    /** Lets the instance answer 503 to everything from now on, health checks included. */
    public void fallSick(String address) {
        sick.add(address);
    }

    /** Returns the number of users' requests that each instance got. */
    public Map<String, Integer> requests() {
        return Map.copyOf(requests);
    }

    /** Returns the Host headers of the health checks that Tomcat accepted. */
    public Set<String> checkedAs() {
        return Set.copyOf(checkedAs);
    }

    @Override
    public void close() {
        try {
            for (Tomcat server : servers) {
                server.stop();
                server.destroy();
            }
        } catch (LifecycleException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import io.redliner.contract.text.NotUtf8Exception;
import io.redliner.contract.text.Utf8;
import io.redliner.redirector.config.LocatedYaml.Mapping;
import io.redliner.redirector.config.LocatedYaml.Node;
import io.redliner.redirector.discovery.EndpointSource;
import io.redliner.redirector.discovery.ServiceDefinition;
import io.redliner.redirector.discovery.ServiceDefinitions;
import io.redliner.redirector.envoy.EnvoyIntegration;
import io.redliner.redirector.routing.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The YAML file that says which services there are:
 *
 * <pre>{@code
 * services:
 *   - name: profile-be
 *     listen: "0.0.0.0:10000"
 *     instances:
 *       - "127.0.0.1:9001"
 *       - {address: "127.0.0.1:9002", weight: 2}    # weight is optional, 1
 *   - name: search
 *     proxies: edge                                 # optional, redliner
 *     timeout: 2s                                   # optional, 15s
 *     dns: {name: search.example.com, port: 8080}
 * }</pre>
 *
 * Unknown fields and values are errors; nothing is skipped. docs/integration/services-file.md has all fields.
 */
public final class ServicesFileParser {

    private static final List<String> FIELDS = Stream.of(List.of("name", "proxies"), IntegrationReader.FIELDS,
            UpstreamReader.FIELDS, FleetReader.FIELDS).flatMap(List::stream).toList();

    private final LocatedYaml yaml;

    private ServicesFileParser(String name) {
        this.yaml = new LocatedYaml(name);
    }

    /**
     * Reads the file.
     *
     * @throws InvalidServicesFileException when it cannot be read or says something that is not understood
     */
    public static ServiceDefinitions read(Path path) {
        return parse(path.toString(), text(path));
    }

    /**
     * Parses a text that was read already.
     *
     * @param name of the text in error messages
     */
    public static ServiceDefinitions parse(String name, String text) {
        return new ServicesFileParser(name).definitions(text);
    }

    /** Reads the text of the file without parsing it. */
    static String text(Path path) {
        try {
            return Utf8.decodeFile(Files.readAllBytes(path));
        } catch (IOException unreadable) {
            String problem = switch (unreadable) {
                case NoSuchFileException missing -> "there is no such file";
                case NotUtf8Exception garbled -> "it " + garbled.getMessage();
                default -> unreadable.toString();
            };
            throw new InvalidServicesFileException(path.toString(), 0, 0, "cannot read the services file: " + problem,
                    unreadable);
        }
    }

    private ServiceDefinitions definitions(String text) {
        Node root = yaml.read(text);
        Mapping file = yaml.mapping(root, "the services file", List.of("services"));
        Node list = yaml.required(file, "services", "the file");
        List<ServiceDefinition> services = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<String> ports = new HashSet<>();
        Set<String> claims = new HashSet<>();
        for (Node node : yaml.sequence(list, "services").items()) {
            Mapping fields = yaml.mapping(node, "a service", FIELDS);
            ServiceDefinition service = service(fields);
            if (!names.add(service.name())) {
                throw yaml.fault(yaml.required(fields, "name", "a service"),
                        "service " + service.name() + " is listed twice");
            }
            for (String claim : service.integration().claims(service.name())) {
                if (!claims.add(service.proxies() + " " + claim)) {
                    throw yaml.fault(yaml.required(fields, "name", "a service"), claim
                            + " is another service's of the proxies '" + service.proxies() + "'");
                }
            }
            service.integration().listenAddress().ifPresent(listen -> {
                if (!ports.add(service.proxies() + " " + listen.port())) {
                    throw yaml.fault(yaml.required(fields, "listen", "a service"), "listen port " + listen.port()
                            + " is taken by another service of the proxies '" + service.proxies() + "'");
                }
            });
            services.add(service);
        }
        if (services.isEmpty()) {
            throw yaml.fault(list, "the list of services is empty");
        }
        return new ServiceDefinitions(services);
    }

    private ServiceDefinition service(Mapping fields) {
        String name = yaml.scalar(yaml.required(fields, "name", "a service"), "a service name", text -> {
            Service.checkName(text);
            return text;
        });
        String proxies = yaml.optional(fields, "proxies").map(node -> yaml.text(node, "the name of a group of proxies"))
                .orElse(Service.DEFAULT_PROXIES);
        EndpointSource source = new FleetReader(yaml).read(fields, name);
        EnvoyIntegration integration = new IntegrationReader(yaml).read(fields, name, source);
        return yaml.at(fields, () -> new ServiceDefinition(name, proxies, integration,
                new UpstreamReader(yaml).read(fields), source));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import static java.util.Objects.requireNonNull;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlParser;
import io.redliner.contract.text.NotUtf8Exception;
import io.redliner.contract.text.Utf8;
import io.redliner.redirector.discovery.EndpointSource;
import io.redliner.redirector.discovery.ServiceDefinition;
import io.redliner.redirector.discovery.ServiceDefinitions;
import io.redliner.redirector.envoy.EnvoyIntegration;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.Upstream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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

    private final Set<String> names = new HashSet<>();

    private final Set<String> ports = new HashSet<>();

    private final Set<String> claims = new HashSet<>();

    private ServicesFileParser() {}

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
     * @throws InvalidServicesFileException with all mistakes
     */
    public static ServiceDefinitions parse(String name, String text) {
        try {
            return NodeReader.readUnquoted(YamlParser.readFile(text), new ServicesFileParser()::definitions);
        } catch (InvalidDocumentException invalid) {
            throw new InvalidServicesFileException(name, invalid.problems());
        }
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
            throw new InvalidServicesFileException(path + ": cannot read the services file: " + problem, unreadable);
        }
    }

    private @Nullable ServiceDefinitions definitions(NodeReader file) {
        List<ServiceDefinition> services = file.read(file.list("services", true), this::service);
        if (services.isEmpty() && file.sound()) {
            file.mistake("services", "the list of services is empty");
        }
        return file.make(() -> new ServiceDefinitions(services));
    }

    private @Nullable ServiceDefinition service(NodeReader fields) {
        String name = fields.required("name", checked(Service::checkName));
        String shown = name == null ? "without a name" : name;
        String proxies = fields.optional("proxies", ServicesFileParser::text, Service.DEFAULT_PROXIES);
        EndpointSource source = FleetReader.read(fields, shown);
        EnvoyIntegration integration = IntegrationReader.read(fields, shown, source);
        Upstream upstream = UpstreamReader.read(fields);
        ServiceDefinition service = fields.make(() -> new ServiceDefinition(requireNonNull(name), proxies,
                requireNonNull(integration), requireNonNull(upstream), requireNonNull(source)));
        if (service != null) {
            requireOwn(fields, service);
        }
        return service;
    }

    private void requireOwn(NodeReader fields, ServiceDefinition service) {
        if (!names.add(service.name())) {
            fields.mistake("name", "service " + service.name() + " is listed twice");
            return;
        }
        String proxies = "of the proxies '" + service.proxies() + "'";
        service.integration().claims(service.name()).stream().filter(claim -> !claims.add(claim + proxies))
                .forEach(claim -> fields.mistake("name", claim + " is another service's " + proxies));
        service.integration().listenAddress().filter(listen -> !ports.add(listen.port() + proxies))
                .ifPresent(listen -> fields.mistake("listen",
                        "listen port " + listen.port() + " is taken by another service " + proxies));
    }

    /** Returns a conversion of texts that pass the check. */
    static Function<String, String> checked(Consumer<String> check) {
        return text -> {
            check.accept(text);
            return text;
        };
    }

    static String text(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("is blank; write a text");
        }
        return text;
    }

    /** Digits only: a unit or a fraction is refused. */
    static int wholeNumber(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException notWhole) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number without a unit", notWhole);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.file;

import io.redliner.redirector.file.LocatedYaml.Mapping;
import io.redliner.redirector.file.LocatedYaml.Node;
import io.redliner.redirector.file.LocatedYaml.Scalar;
import io.redliner.redirector.service.Address;
import io.redliner.redirector.service.Instance;
import io.redliner.redirector.service.Service;
import io.redliner.redirector.service.ServiceCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The YAML file that says which services there are:
 *
 * <pre>{@code
 * services:
 *   - name: profile-be
 *     listen: "0.0.0.0:10000"
 *     timeout: 15s                                  # optional, 15s
 *     instances:
 *       - "127.0.0.1:9001"
 *       - {address: "127.0.0.1:9002", weight: 2}    # weight is optional, 1
 * }</pre>
 *
 * Read strictly: what is not understood is refused, never skipped.
 */
public final class ServicesFile {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(15);

    private final LocatedYaml yaml;

    private ServicesFile(String name) {
        this.yaml = new LocatedYaml(name);
    }

    /**
     * Reads the file.
     *
     * @throws InvalidServicesFileException when it cannot be read or says something that is not understood
     */
    public static ServiceCatalog read(Path path) {
        try {
            return parse(path.toString(), Files.readString(path));
        } catch (IOException unreadable) {
            throw new InvalidServicesFileException(path.toString(), 0, 0, "cannot read the services file: "
                    + unreadable, unreadable);
        }
    }

    /**
     * Like {@link #read} for text at hand.
     *
     * @param name how the text is called in complaints
     */
    public static ServiceCatalog parse(String name, String text) {
        return new ServicesFile(name).catalog(text);
    }

    private ServiceCatalog catalog(String text) {
        Node root = yaml.read(text);
        Mapping file = yaml.mapping(root, "the services file", List.of("services"));
        Node list = yaml.required(file, "services", "the file");
        List<Service> services = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<Integer> ports = new HashSet<>();
        for (Node node : yaml.sequence(list, "services").items()) {
            Mapping fields = yaml.mapping(node, "a service",
                    List.of("name", "listen", "timeout", "instances", "runtime"));
            Service service = service(fields);
            if (!names.add(service.name())) {
                throw yaml.fault(yaml.required(fields, "name", "a service"),
                        "service " + service.name() + " is listed twice");
            }
            if (service.integration() instanceof io.redliner.redirector.service.Integration.Everything everything
                    && !ports.add(everything.listen().port())) {
                throw yaml.fault(yaml.required(fields, "listen", "a service"),
                        "listen port " + everything.listen().port() + " is taken by another service");
            }
            services.add(service);
        }
        if (services.isEmpty()) {
            throw yaml.fault(list, "the list of services is empty");
        }
        return ServiceCatalog.of(services);
    }

    private Service service(Mapping fields) {
        String name = yaml.scalar(yaml.required(fields, "name", "a service"), "a service name", text -> {
            Service.checkName(text);
            return text;
        });
        io.redliner.redirector.service.Integration integration = new io.redliner.redirector.service.Integration.Routes();
        if (yaml.has(fields, "listen"))
            integration = new io.redliner.redirector.service.Integration.Everything(
                    yaml.scalar(yaml.required(fields, "listen", "service " + name), "an address",
                            Address::parse));
        if (yaml.has(fields, "runtime")) {
            Mapping r = yaml.mapping(yaml.required(fields, "runtime", ""), "runtime",
                    List.of("keyPrefix", "sut", "sutCluster", "peersCluster"));
            java.util.function.Function<String, String> g = f -> yaml.scalar(yaml.required(r, f, ""), "", t -> t);
            integration = new io.redliner.redirector.service.Integration.SharesOnly(g.apply("keyPrefix"),
                    Address.parse(g.apply("sut")), g.apply("sutCluster"), g.apply("peersCluster"),
                    io.redliner.redirector.service.Integration.Selection.SPLIT);
        }
        io.redliner.redirector.service.Integration fin = integration;
        Duration timeout = yaml.has(fields, "timeout")
                ? yaml.scalar(yaml.required(fields, "timeout", "a service"), "a duration", DurationText::parse)
                : DEFAULT_TIMEOUT;
        Node list = yaml.required(fields, "instances", "service " + name);
        List<Instance> instances = new ArrayList<>();
        Set<Address> seen = new HashSet<>();
        for (Node node : yaml.sequence(list, "instances").items()) {
            Instance instance = instance(node);
            if (!seen.add(instance.address())) {
                throw yaml.fault(node, "service " + name + ": instance " + instance.address() + " is listed twice");
            }
            instances.add(instance);
        }
        return yaml.at(list, () -> new Service(name, Service.DEFAULT_PROXIES, fin,
                io.redliner.redirector.service.Upstream.plain(timeout), instances));
    }

    private Instance instance(Node node) {
        if (node instanceof Scalar) {
            return new Instance(yaml.scalar(node, "an address", Address::parse), 1);
        }
        Mapping fields = yaml.mapping(node, "an instance", List.of("address", "weight"));
        Address address = yaml.scalar(yaml.required(fields, "address", "an instance"), "an address", Address::parse);
        if (!yaml.has(fields, "weight")) {
            return new Instance(address, 1);
        }
        return yaml.scalar(yaml.required(fields, "weight", "an instance"), "a weight",
                text -> new Instance(address, wholeNumber(text)));
    }

    private static int wholeNumber(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException notWhole) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number without a unit", notWhole);
        }
    }
}

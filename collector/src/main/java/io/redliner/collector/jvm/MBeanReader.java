// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.ReflectionException;

/** Reads the attributes of a JVM's own beans. Attributes that the JVM's version lacks are left out. */
final class MBeanReader {

    private static final int MAX_BEANS = 64;

    private final MBeanServerConnection connection;

    MBeanReader(MBeanServerConnection connection) {
        this.connection = connection;
    }

    MBeanServerConnection connection() {
        return connection;
    }

    /** Reads the attributes in one call. It leaves out attributes that the bean does not have. */
    Map<String, Object> read(ObjectName bean, String... attributes) throws IOException {
        try {
            return connection.getAttributes(bean, attributes).asList().stream()
                    .filter(attribute -> attribute.getValue() != null)
                    .collect(Collectors.toMap(Attribute::getName, Attribute::getValue));
        } catch (InstanceNotFoundException | ReflectionException e) {
            return new HashMap<>();
        }
    }

    /** Returns a number; NaN when there is none, or when it is negative, by which beans mark an unknown value. */
    static double number(Map<String, Object> values, String attribute) {
        return values.get(attribute) instanceof Number number && number.doubleValue() >= 0
                ? number.doubleValue()
                : Double.NaN;
    }

    /** Returns the beans that match a pattern, at most 64. */
    List<ObjectName> named(String pattern) throws IOException {
        Set<ObjectName> found = new TreeSet<>(connection.queryNames(name(pattern), null));
        return found.stream().limit(MAX_BEANS).toList();
    }

    /** Calls an operation of a bean. The result is empty when the operation returns no array. */
    Object[] call(ObjectName bean, String operation, Object[] arguments, String... types)
            throws IOException, JMException {
        Object result = connection.invoke(bean, operation, arguments, types);
        return result instanceof Object[] many ? Arrays.copyOf(many, many.length) : new Object[]{};
    }

    static ObjectName name(String name) {
        try {
            return new ObjectName(name);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(e);
        }
    }
}

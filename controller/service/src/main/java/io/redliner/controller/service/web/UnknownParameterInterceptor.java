// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.security.AuthorizationRules;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.ValueConstants;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses unknown query parameters, as unknown fields of documents are refused: {@code POST /runs?dryrun=true} would start a run.
 * An empty value is not the default: {@code growth=} is not 50 %. All parameters have one value. Requests that stop runs are served
 * whatever else they say.
 */
final class UnknownParameterInterceptor implements HandlerInterceptor {

    /** The parameters of each method by name; true for one with a default. */
    private final Map<Method, SortedMap<String, Boolean>> known = new ConcurrentHashMap<>();

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getQueryString() == null || !(handler instanceof HandlerMethod method)
                || !AnnotatedElementUtils.hasAnnotation(method.getBeanType(), RestController.class)
                || AuthorizationRules.stops(request)) {
            return true;
        }
        SortedMap<String, Boolean> names = known.computeIfAbsent(method.getMethod(), missing -> names(method));
        request.getParameterMap().forEach((name, values) -> {
            if (!names.containsKey(name)) {
                throw refused(name, "is unknown here; "
                        + (names.isEmpty() ? "there is none" : "known are " + String.join(", ", names.keySet())));
            }
            if (values.length > 1) {
                throw refused(name, "is given " + values.length + " times: give it once");
            }
            if (names.get(name) && values[0].isBlank()) {
                throw refused(name, "is empty: give it a value, or leave it out for its default");
            }
        });
        return true;
    }

    private static ProblemException refused(String name, String why) {
        return new ProblemException(ProblemType.INVALID_PARAMETER, "parameter " + name + " " + why).with("field", name);
    }

    private static SortedMap<String, Boolean> names(HandlerMethod method) {
        SortedMap<String, Boolean> names = new TreeMap<>();
        for (MethodParameter parameter : method.getMethodParameters()) {
            RequestParam query = parameter.getParameterAnnotation(RequestParam.class);
            if (query != null) {
                parameter.initParameterNameDiscovery(new DefaultParameterNameDiscoverer());
                String name = query.name().isEmpty()
                        ? Objects.requireNonNull(parameter.getParameterName())
                        : query.name();
                names.put(name, !query.defaultValue().equals(ValueConstants.DEFAULT_NONE));
            }
        }
        return names;
    }
}

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
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses query parameters that nobody knows, as unknown fields of documents are: {@code POST /runs?dryrun=true} would start
 * a run. Requests that stop runs are served whatever else they say.
 */
final class UnknownParameterInterceptor implements HandlerInterceptor {

    private final Map<Method, Set<String>> known = new ConcurrentHashMap<>();

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getQueryString() == null || !(handler instanceof HandlerMethod method)
                || !AnnotatedElementUtils.hasAnnotation(method.getBeanType(), RestController.class)
                || AuthorizationRules.stops(request)) {
            return true;
        }
        Set<String> names = known.computeIfAbsent(method.getMethod(), missing -> names(method));
        for (String name : request.getParameterMap().keySet()) {
            if (!names.contains(name)) {
                throw new ProblemException(ProblemType.INVALID_PARAMETER, "parameter " + name + " is unknown here; "
                        + (names.isEmpty() ? "there is none" : "known are " + String.join(", ", names)))
                        .with("field", name);
            }
        }
        return true;
    }

    private static Set<String> names(HandlerMethod method) {
        Set<String> names = new TreeSet<>();
        for (MethodParameter parameter : method.getMethodParameters()) {
            RequestParam query = parameter.getParameterAnnotation(RequestParam.class);
            if (query != null) {
                parameter.initParameterNameDiscovery(new DefaultParameterNameDiscoverer());
                names.add(query.name().isEmpty()
                        ? Objects.requireNonNull(parameter.getParameterName())
                        : query.name());
            }
        }
        return names;
    }
}

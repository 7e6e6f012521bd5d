/*
 * Runs before the app, in any browser, so it is written in the JavaScript of 2009. What it looks for is
 * what the app's code and style sheets use and what it can't do without; docs/known-limits.md names the
 * first browsers that have all of it. Without its root the app doesn't start. Browsers keep what is in this
 * folder for a year, so a change of this file changes the number in its name.
 */
(function () {
  var root = document.getElementById('root');
  function has(owner, name) {
    return Boolean(owner) && typeof owner[name] === 'function';
  }
  function supports(test) {
    return has(window.CSS, 'supports') && window.CSS.supports(test);
  }
  var isNewEnough =
    supports('(color: light-dark(#000, #fff))') &&
    supports('selector(:has(a))') &&
    has(window.AbortSignal, 'timeout') &&
    has(Array.prototype, 'at') &&
    has(Array.prototype, 'findLast') &&
    has(window.Element && Element.prototype, 'checkVisibility') &&
    has(Object, 'hasOwn') &&
    has(window.Promise, 'allSettled') &&
    has(String.prototype, 'replaceAll') &&
    has(window, 'BroadcastChannel') &&
    has(window, 'HTMLDialogElement');
  if (isNewEnough || !root) return;

  function add(parent, name, text) {
    var element = document.createElement(name);
    element.appendChild(document.createTextNode(text));
    parent.appendChild(element);
  }
  root.id = 'browser-too-old';
  while (root.firstChild) root.removeChild(root.firstChild);
  var main = document.createElement('main');
  root.appendChild(main);
  add(main, 'h1', 'Please update your browser');
  add(
    main,
    'p',
    'This browser is too old for this site. Update it, or open this page in another one: Chrome or Edge 123, Firefox 121, Safari 17.5, or anything newer. On an iPhone or iPad that means iOS 17.5.'
  );
})();

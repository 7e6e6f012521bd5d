import './pressable-style.css';

/**
 * React Aria adds one rule to the page through a `<style>` element, which the content
 * security policy refuses. The rule stands in our own style sheet instead, and an
 * element with that id tells React Aria that it is there.
 */
const ID = 'react-aria-pressable-style';

if (!document.getElementById(ID)) {
  const mark = document.createElement('meta');
  mark.id = ID;
  document.head.append(mark);
}
